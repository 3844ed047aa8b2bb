"""The tools of one server with a checkbox each: unchecked ones are not offered to anyone.

Only asks for a change. Holds ten thousand tools: rows are made by the view, when they are seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
)

from desktop.gui.servers.tool_delegate import ToolDelegate
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.tools.definition import ToolDefinition

    Index = QModelIndex | QPersistentModelIndex

_FILTER_FROM = 8  # a filter over fewer tools is only in the way
_LINE = 160


class ToolSwitchModel(QAbstractListModel):
    """Every listed tool; the check says whether the configuration lets it be offered."""

    asked = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._tools: tuple[ToolDefinition, ...] = ()
        self._hidden: frozenset[str] = frozenset()

    def show_tools(self, tools: tuple[ToolDefinition, ...], hidden: frozenset[str]) -> None:
        if tools != self._tools:
            self.beginResetModel()
            self._tools, self._hidden = tools, hidden
            self.endResetModel()
        elif hidden != self._hidden:
            self._hidden = hidden
            self.dataChanged.emit(self.index(0), self.index(len(tools) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._tools)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        tool = self._tools[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return tool.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{tool.name}: {_said(tool)}"
            case Qt.ItemDataRole.UserRole:
                return _said(tool)
            case Qt.ItemDataRole.CheckStateRole:
                is_on = tool.name not in self._hidden
                return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            case _:
                return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        is_on = Qt.CheckState(value) == Qt.CheckState.Checked
        self.asked.emit(self._tools[index.row()].name, is_on)
        return True


class ToolSwitchesView(QFrame):
    """The list with a filter above it where there are many."""

    asked = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = ToolSwitchModel()
        self._model.setParent(self)
        self._model.asked.connect(self.asked)
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(self._model)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._found.setFilterFixedString)
        self.list = QListView()
        self.list.setUniformItemSizes(True)
        self.list.setModel(self._found)
        self.list.setItemDelegate(ToolDelegate(theme, self.list))
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        style(self._empty, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        column.addWidget(self._empty, 1, Qt.AlignmentFlag.AlignTop)
        self._translate()

    def show_tools(self, connection: ServerConnection) -> None:
        """Be the tools of `connection` as it is now."""
        tools = connection.listed
        self._model.show_tools(tools, frozenset(connection.config.disabled_tools))
        has_filter = len(tools) >= _FILTER_FROM
        if not has_filter:
            self.filter.clear()
        self.filter.setVisible(has_filter)
        self.list.setVisible(bool(tools))
        self._empty.setVisible(not tools)
        self._empty.setText(
            self.tr("This server has no tools.")
            if connection.is_connected
            else self.tr("Its tools are listed here once it is connected.")
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.filter.setPlaceholderText(self.tr("Filter tools"))
        self.filter.setAccessibleName(self.tr("Filter tools"))
        self.list.setAccessibleName(self.tr("Tools of the server; unchecked ones are not offered"))


def _said(tool: ToolDefinition) -> str:
    return " ".join(tool.description[: _LINE * 2].split())[:_LINE]
