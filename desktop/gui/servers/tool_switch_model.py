"""The rows of the tool list. Asks for a change of a check; shows what the configuration says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

if TYPE_CHECKING:
    from desktop.tool_types import ToolDefinition

    Index = QModelIndex | QPersistentModelIndex

_LINE = 160


class ToolSwitchModel(QAbstractListModel):
    """The listed tools whose name is looked for; the check says whether one is to be offered."""

    asked = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._listed: tuple[ToolDefinition, ...] = ()
        self._tools: tuple[ToolDefinition, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self._wanted = ""

    def show_tools(self, tools: tuple[ToolDefinition, ...], hidden: frozenset[str]) -> None:
        if tools != self._listed:
            self._listed, self._hidden = tools, hidden
            self._search()
        elif hidden != self._hidden:
            self._hidden = hidden
            self.dataChanged.emit(self.index(0), self.index(len(self._tools) - 1))

    def look_for(self, text: str) -> None:
        """Show only the tools with `text` in their names."""
        self._wanted = text.strip().casefold()
        self._search()

    def _search(self) -> None:
        wanted = self._wanted
        self.beginResetModel()
        self._tools = tuple(one for one in self._listed if wanted in one.name.casefold())
        self.endResetModel()

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


def _said(tool: ToolDefinition) -> str:
    return " ".join(tool.description[: _LINE * 2].split())[:_LINE]
