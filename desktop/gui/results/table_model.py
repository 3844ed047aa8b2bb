"""A table for a view: asks for a cell only when it is painted. Must not read or order JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.gui import bridge
from desktop.gui.results.table_rows import MISSING, Table, cell, cell_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
NO_TABLE = Table((), [])


class TableModel(QAbstractTableModel):
    """The rows in the order of the moment; row headers keep their numbers in the value.

    Being asked to sort, it only says so: ordering takes long.
    """

    sort_asked = Signal(int, Qt.SortOrder)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        bridge.let_go(self)
        self._theme = theme
        self.table = NO_TABLE
        self.order: Sequence[int] = ()

    def show_table(self, table: Table) -> None:
        self.beginResetModel()
        self.table = table
        self.order = range(len(table.rows))
        self.endResetModel()

    def set_order(self, order: Sequence[int]) -> None:
        """Show the rows in this order; no index is kept over it."""
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.sort_asked.emit(column, order)

    def value(self, index: Index) -> Any:
        """The value of a cell, `MISSING` where there is none."""
        row = self.table.rows[self.order[index.row()]]
        return cell(row, self.table.columns[index.column()])

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(self.order[section])
        return self.table.columns[section][:80]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return cell_text(self.value(index))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            value = self.value(index)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            value = self.value(index)
            is_pale = value is MISSING or value is None or isinstance(value, (dict, list))
            return self._theme.color("muted" if is_pale else "text")
        return None
