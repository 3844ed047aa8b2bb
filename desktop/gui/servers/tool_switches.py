"""The tools of one server with a checkbox each: unchecked ones are not offered to anyone.

Only asks for a change. Holds ten thousand tools: rows are made by the view, when they are seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
)

from desktop.gui.servers.tool_delegate import ToolSwitchDelegate
from desktop.gui.servers.tool_switch_model import ToolSwitchModel
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection

_FILTER_FROM = 8  # a filter over fewer tools is only in the way


class ToolSwitchesView(QFrame):
    """The list with a filter above it where there are many."""

    asked = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = ToolSwitchModel()
        self._model.setParent(self)
        self._model.asked.connect(self.asked)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._model.look_for)
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
