"""Everything about the selected server: state, error, facts, tools and output, and its buttons.

Shows one connection; what was asked goes on to the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
)

from desktop.gui.elided_label import ElidedLabel
from desktop.gui.icons import set_icon
from desktop.gui.servers import words
from desktop.gui.servers.error_view import ErrorView
from desktop.gui.servers.facts import known_facts
from desktop.gui.servers.facts_view import ServerInfoView
from desktop.gui.servers.output_view import StderrView
from desktop.gui.servers.tool_switches import ToolSwitchesView
from desktop.gui.spoken import spoken
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from desktop.gui.servers.usage import ProcessUsage
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection


class ServerDetailsView(QFrame):
    """The right side of the page."""

    restart_asked = Signal(str)
    edit_asked = Signal(str)
    remove_asked = Signal(str)
    tool_asked = Signal(str, str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._connection: ServerConnection | None = None
        self._usage: ProcessUsage | None = None
        self.name, self.badge, self.note = ElidedLabel(), QLabel(), QLabel()
        self.restart, self.edit, self.remove = QPushButton(), QPushButton(), QPushButton()
        self.error = ErrorView(theme)
        self.facts = ServerInfoView()
        self.tools = ToolSwitchesView(theme)
        self.output = StderrView(theme)
        self.instructions = QPlainTextEdit()
        self.tabs = QTabWidget()
        self._dress(theme)
        self._lay_out()
        self._connect()
        self._translate()

    @property
    def connection(self) -> ServerConnection | None:
        return self._connection

    def show_server(self, connection: ServerConnection | None) -> None:
        """Show another server from now on, or none."""
        if connection is not self._connection:
            self._connection, self._usage = connection, None
            self.tools.filter.clear()
        self.output.show_output(connection.output if connection is not None else None)
        if connection is not None:
            self.refresh()

    def show_usage(self, usage: ProcessUsage | None) -> None:
        if usage != self._usage and self._connection is not None:
            self._usage = usage
            self._show_facts(self._connection)

    def refresh(self) -> None:
        """Show what the connection is now."""
        connection = self._connection
        if connection is None:
            return
        if connection.pid is None:
            self._usage = None
        shown = words.state_words(connection)
        source = connection.config.source
        self.name.show_text(connection.name)
        self.badge.setText(shown.text)
        style(self.badge, "badge", shown.tone)
        self.error.show_error(spoken(connection.state.error) if connection.is_enabled else "")
        self.restart.setEnabled(connection.is_enabled)
        for button in (self.edit, self.remove):
            button.setVisible(source == "file")
        self.note.setText(self._note(connection))
        self.note.setHidden(source == "file")
        self._show_facts(connection)
        self.tools.show_tools(connection)
        self._name_tabs(connection)
        self._show_instructions(connection.about.instructions)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _note(self, connection: ServerConnection) -> str:
        """Why it cannot be edited, or what it is for."""
        if connection.config.source == "environment":
            return self.tr("From the variable MCP_SERVERS: it can be switched, but not edited.")
        return words.purpose_words(connection.config)

    def _show_facts(self, connection: ServerConnection) -> None:
        self.facts.show_facts(*known_facts(connection, self._usage))

    def _show_instructions(self, text: str) -> None:
        if text != self.instructions.toPlainText():
            self.instructions.setPlainText(text)
        self.tabs.setTabVisible(2, bool(text))

    def _name_tabs(self, connection: ServerConnection | None) -> None:
        count = len(connection.listed) if connection is not None else 0
        text = self.tr("Tools ({count})").format(count=f"{count:,}") if count else self.tr("Tools")
        self.tabs.setTabText(0, text)

    def _dress(self, theme: Theme) -> None:
        style(self.name, "title")
        style(self.badge, "badge")
        style(self.note, "muted", "small")
        style(self.remove, "danger")
        set_icon(theme, self.restart, "restart")
        set_icon(theme, self.edit, "edit")
        set_icon(theme, self.remove, "trash", "danger")
        self.badge.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.instructions.setReadOnly(True)
        self.instructions.setTabChangesFocus(True)
        style(self.instructions, "well")
        self.badge.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.note.setWordWrap(True)

    def _connect(self) -> None:
        self.restart.clicked.connect(lambda: self._ask(self.restart_asked))
        self.edit.clicked.connect(lambda: self._ask(self.edit_asked))
        self.remove.clicked.connect(lambda: self._ask(self.remove_asked))
        self.tools.asked.connect(self._ask_tool)

    def _ask(self, signal: SignalInstance) -> None:
        if self._connection is not None:
            signal.emit(self._connection.name)

    def _ask_tool(self, tool: str, enabled: bool) -> None:
        if self._connection is not None:
            self.tool_asked.emit(self._connection.name, tool, enabled)

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setSpacing(space(3))
        title.addWidget(self.name, 1)
        title.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        buttons = QHBoxLayout()
        buttons.setSpacing(space(2))
        for button in (self.restart, self.edit, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.tabs.addTab(self.tools, "")
        self.tabs.addTab(self.output, "")
        self.tabs.addTab(self.instructions, "")
        self.tabs.setDocumentMode(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(4), 0, space(4), space(4))
        column.setSpacing(space(3))
        column.addLayout(title)
        for part in (self.note, self.error, self.facts):
            column.addWidget(part)
        column.insertLayout(1, buttons)
        column.addWidget(self.tabs, 1)

    def _translate(self) -> None:
        self.restart.setText(self.tr("Restart"))
        self.restart.setToolTip(self.tr("End the server and start it again (Ctrl+R)"))
        self.edit.setText(self.tr("Edit…"))
        self.edit.setToolTip(self.tr("Change how it is started or reached (F2)"))
        self.remove.setText(self.tr("Remove…"))
        self.remove.setToolTip(self.tr("Take it out of the configuration (Delete)"))
        self.tabs.setTabText(1, self.tr("Output"))
        self.tabs.setTabText(2, self.tr("Instructions"))
        self.tabs.setTabToolTip(2, self.tr("What the server tells models about its use"))
        self.instructions.setAccessibleName(self.tr("Instructions"))
        self._name_tabs(self._connection)
        self.setAccessibleName(self.tr("Details of the server"))
        self.refresh()
