"""The tools of one server with a checkbox each; unchecked tools are not offered to anyone.

Only requests changes. The view asks for rows as they become visible, so ten thousand tools are
fine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from desktop.gui.theme import space, style
from desktop.gui.widgets.retranslation import Retranslated
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.tool_types import ToolDefinition

    Index = QModelIndex | QPersistentModelIndex

DESCRIPTION_ROLE = Qt.ItemDataRole.UserRole


class ToolSwitchDelegate(QStyledItemDelegate):
    """Draws the start of a tool's description behind its name, in the colour of secondary text."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        description = str(index.data(DESCRIPTION_ROLE))
        if not description:
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        widget: QWidget = shown.widget  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        part = QStyle.SubElement.SE_ItemViewItemText
        room = widget.style().subElementRect(part, shown, widget)
        metrics = shown.fontMetrics  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        room.setLeft(room.left() + metrics.horizontalAdvance(shown.text) + space(5))  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        text = metrics.elidedText(description, Qt.TextElideMode.ElideRight, room.width())
        painter.save()
        painter.setPen(self._theme.color("muted"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


_MAX_DESCRIPTION = 160


class ToolSwitchModel(QAbstractListModel):
    """The listed tools whose name holds the filter; checked tools are offered."""

    switch_requested = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._listed: tuple[ToolDefinition, ...] = ()
        self._tools: tuple[ToolDefinition, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self._text = ""

    def show_tools(self, tools: tuple[ToolDefinition, ...], hidden: frozenset[str]) -> None:
        if tools != self._listed:
            self._listed, self._hidden = tools, hidden
            self._apply_filter()
        elif hidden != self._hidden:
            self._hidden = hidden
            self.dataChanged.emit(self.index(0), self.index(len(self._tools) - 1))

    def set_filter(self, text: str) -> None:
        """Show only the tools with `text` in their names."""
        self._text = text.strip().casefold()
        self._apply_filter()

    def _apply_filter(self) -> None:
        wanted = self._text
        self.beginResetModel()
        self._tools = tuple(tool for tool in self._listed if wanted in tool.name.casefold())
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._tools)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        tool = self._tools[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return mark_hidden(tool.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{mark_hidden(tool.name)}: {_first_label(tool)}"
            case Qt.ItemDataRole.UserRole:
                return _first_label(tool)
            case Qt.ItemDataRole.CheckStateRole:
                is_on = tool.name not in self._hidden
                return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            case _:
                return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        is_on = Qt.CheckState(value) == Qt.CheckState.Checked
        self.switch_requested.emit(self._tools[index.row()].name, is_on)
        return True


def _first_label(tool: ToolDefinition) -> str:
    return " ".join(tool.description[: _MAX_DESCRIPTION * 2].split())[:_MAX_DESCRIPTION]


_FILTER_FROM = 8  # a filter over fewer tools is only in the way


class ToolSwitchesView(Retranslated, QFrame):
    """The list with a filter above it where there are many."""

    switch_requested = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = ToolSwitchModel()
        self._model.setParent(self)
        self._model.switch_requested.connect(self.switch_requested)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._model.set_filter)
        self.list = QListView()
        self.list.setUniformItemSizes(True)
        self.list.setModel(self._model)
        self.list.setItemDelegate(ToolSwitchDelegate(theme, self.list))
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        style(self._empty, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        column.addWidget(self._empty, 1, Qt.AlignmentFlag.AlignTop)
        self.retranslate()

    def show_tools(self, connection: ServerConnection) -> None:
        """Show the tools of `connection` as it is now."""
        tools = connection.listed
        offers = connection.config.offers
        self._model.show_tools(
            tools, frozenset(tool.name for tool in tools if not offers(tool.name))
        )
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

    def retranslate(self) -> None:
        self.filter.setPlaceholderText(self.tr("Filter tools"))
        self.filter.setAccessibleName(self.tr("Filter tools"))
        self.list.setAccessibleName(self.tr("Tools of the server; unchecked ones are not offered"))
