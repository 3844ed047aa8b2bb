"""What a newcomer sees first: three ways to a first tool, each one click away.

Says which was taken; knows neither servers nor files.

The way of a newcomer to a first result: the calculator on, its form filled in, Run focused.

Waits for the server's tools and says that they are there; gives up when the page is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from desktop.gui import bridge
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.config.imports.reader import DetectedClient
    from desktop.gui.theme import Theme
    from desktop.servers.service import McpService
    from desktop.tool_types import JsonObject

SERVER: Final = "calculator"
TOOL: Final = "calculator:calculate"
ARGUMENTS: JsonObject = {"operation": "multiply", "a": 6, "b": 7}


class FirstCall(QObject):
    """Lives with its page."""

    prepared = Signal(str, object)
    """The tool's key and arguments for its form."""

    def __init__(self, page: QWidget, service: McpService) -> None:
        super().__init__(page)
        self._service = service
        self._is_waiting = False
        # The registry follows the same signal, and was connected before any page.
        bridge.connect(self, service.tools_changed, self._note)
        page.installEventFilter(self)

    def start(self) -> None:
        """From now on wait for the tools; they may be there already."""
        self._is_waiting = True
        self._note(SERVER)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:
            self._is_waiting = False
        return super().eventFilter(watched, event)

    def _note(self, server: str) -> None:
        if not self._is_waiting or server != SERVER:
            return
        connection = self._service.connections.get(SERVER)
        if connection is not None and connection.is_enabled and connection.tools:
            self._is_waiting = False
            self.prepared.emit(TOOL, dict(ARGUMENTS))


_ICON = space(6)
_MAX_APPS = 3


class _Step(QFrame):
    """A card: a sign, what it is, what it gives, and its buttons."""

    def __init__(self, theme: Theme, icon: str) -> None:
        super().__init__()
        style(self, "card")
        sign = QLabel()
        set_icon(theme, sign, icon, "accent", size=_ICON)
        self.title, self.sentence = QLabel(), QLabel()
        style(self.title, "heading")
        style(self.sentence, "muted")
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(space(2))
        text = QVBoxLayout()
        text.setSpacing(space(1))
        text.addWidget(self.title)
        text.addWidget(self.sentence)
        text.addSpacing(space(1))
        text.addLayout(self.buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(4), space(3), space(4), space(4))
        row.setSpacing(space(4))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(text, 1)

    def add_button(self) -> QPushButton:
        button = QPushButton()
        self.buttons.addWidget(button)
        return button


class WelcomeView(Retranslated, QFrame):
    """Three steps; the one for imports says what was found."""

    calculator_requested = Signal()
    import_requested = Signal(str)
    """From the client with this key; from wherever there is something, where it is empty."""
    add_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._found: list[DetectedClient] | None = None
        self._title, self._sentence = QLabel(), QLabel()
        self._calculator = _Step(theme, "play")
        self._import = _Step(theme, "servers")
        self._add = _Step(theme, "plus")
        self.try_calculator = self._calculator.add_button()
        self.add = self._add.add_button()
        self.other_file = self._import.add_button()
        self.apps: list[QPushButton] = []
        self.try_calculator.clicked.connect(self.calculator_requested)
        self.add.clicked.connect(self.add_requested)
        self.other_file.clicked.connect(lambda: self.import_requested.emit(""))
        self._lay_out()
        self.retranslate()

    def show_found(self, found: Sequence[DetectedClient]) -> None:
        """Offer the clients that have servers here."""
        self._found = [one for one in found if one.count]
        for button in self.apps:
            self._import.buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.apps = [self._app_button(one) for one in self._found[:_MAX_APPS]]
        for at, button in enumerate(self.apps):
            self._import.buttons.insertWidget(at, button)
        self.retranslate()

    def set_calculator(self, is_there: bool) -> None:
        self._calculator.setVisible(is_there)

    def _app_button(self, found: DetectedClient) -> QPushButton:
        app = found.source.app
        key = app.key if app is not None else ""
        button = QPushButton()
        button.setToolTip(str(found.source.path).replace("<", "‹"))
        button.clicked.connect(lambda: self.import_requested.emit(key))
        return button

    def _lay_out(self) -> None:
        style(self._title, "title")
        style(self._sentence, "muted")
        style(self.try_calculator, "primary")
        set_icon(self._theme, self.try_calculator, "play", "accent_text")
        set_icon(self._theme, self.add, "plus")
        self._sentence.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, space(4))
        column.setSpacing(space(3))
        column.addWidget(self._title)
        column.addWidget(self._sentence)
        for step in (self._calculator, self._import, self._add):
            step.buttons.addStretch(1)
            column.addWidget(step)

    def retranslate(self) -> None:
        self._title.setText(self.tr("Welcome"))
        self._sentence.setText(
            self.tr("An MCP server gives tools to you and to your models. Start with one of these:")
        )
        self._calculator.title.setText(self.tr("Try a tool now"))
        self._calculator.sentence.setText(
            self.tr(
                "The built-in calculator needs nothing else. Its form opens filled in: press Run."
            )
        )
        self.try_calculator.setText(self.tr("Try the built-in calculator"))
        self._import.title.setText(self.tr("Bring your servers along"))
        self._import.sentence.setText(self._import_words())
        for button, found in zip(self.apps, self._found or (), strict=False):
            text = self.tr("{app} ({count})")
            button.setText(text.format(app=found.source.label, count=found.count))
            one = self.tr("Import from {app}, 1 server")
            many = self.tr("Import from {app}, {count} servers")
            button.setAccessibleName(counted(found.count, one, many, app=found.source.label))
        self.other_file.setText(self.tr("Other…") if self.apps else self.tr("Import from a file…"))
        self._add.title.setText(self.tr("Add a server"))
        self._add.sentence.setText(
            self.tr("By its command, its address, or the JSON that its README shows.")
        )
        self.add.setText(self.tr("Add a server…"))

    def _import_words(self) -> str:
        if self._found is None:
            return self.tr("Looking for other apps with MCP servers on this computer…")
        if not self._found:
            return self.tr(
                "From the config file of another app; it is shown first, nothing starts."
            )
        return self.tr("Found on this computer. You see what would be added first; nothing starts.")
