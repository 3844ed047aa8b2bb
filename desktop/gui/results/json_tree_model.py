"""A JSON value for a tree view: rows exist only below what was opened. Must not read JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.gui import bridge
from desktop.gui.results.json_node import JsonTreeNode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.theme import ColorName, Theme

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_KEY, _VALUE = 0, 1


class JsonTreeModel(QAbstractItemModel):
    """Two columns, key and value; children come with `fetchMore` when a row is opened."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        bridge.let_go(self)
        self._theme = theme
        self._root = JsonTreeNode(None)
        self._top: list[JsonTreeNode] = []

    def show_value(self, value: Any) -> None:
        self.beginResetModel()
        self._root = JsonTreeNode(value)
        self._top = [self._root]
        self.endResetModel()

    def node(self, index: Index) -> JsonTreeNode | None:
        return index.internalPointer() if index.isValid() else None

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        rows = self._rows(parent)
        return self.createIndex(row, column, rows[row]) if row < len(rows) else QModelIndex()

    def parent(self, child: Index = _ROOT) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        node = self.node(child)
        above = node.parent if node is not None else None
        return QModelIndex() if above is None else self.createIndex(above.row, _KEY, above)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return len(self._rows(parent)) if parent.column() <= 0 else 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 2

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        node = self.node(parent)
        return bool(self._top) if node is None else node.child_count > 0

    def canFetchMore(self, parent: Index) -> bool:
        node = self.node(parent)
        return node is not None and node.children is None and node.child_count > 0

    def fetchMore(self, parent: Index) -> None:
        node = self.node(parent)
        if node is None or node.children is not None:
            return
        children = node.open()
        self.beginInsertRows(self.createIndex(node.row, _KEY, node), 0, len(children) - 1)
        node.children = children
        self.endInsertRows()

    def index_of(self, path: Sequence[str | int]) -> QModelIndex:
        """The row of the value at `path`, opened down to it; the nearest above where it is not."""
        index = self.index(0, _KEY)
        for step in path:
            while (node := self.node(index)) is not None:
                row = node.child_at(step)
                if row is None:
                    return index
                self.fetchMore(index)
                index = self.index(row, _KEY, index)
                below = self.node(index)
                if below is None or not below.is_range:
                    break
        return index

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return self.tr("Key") if section == _KEY else self.tr("Value")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return node.key if index.column() == _KEY else node.summary()
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.color(_color_of(node, index.column()))
        return None

    def _rows(self, parent: Index) -> list[JsonTreeNode]:
        node = self.node(parent)
        return self._top if node is None else node.children or []


def _color_of(node: JsonTreeNode, column: int) -> ColorName:
    if column == _KEY:
        return "muted" if node.is_range else "text"
    match node.value:
        case str():
            return "success"
        case bool() | None:
            return "warning"
        case int() | float():
            return "accent"
        case _:
            return "muted"
