"""What the Servers page shows while there is no server: a welcome with three ways to a tool.

It goes while any server is on, a built-in one too. Once there were servers, a short hint takes the
welcome's place for good. Must not start a server or read a file: it only asks the page.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop.gui import bridge
from desktop.gui.layouts import TOP, Gap, InnerColumn, in_column, in_row
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, plain_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings

    from desktop.config.imports.reader import DetectedClient
    from desktop.gui.servers.finder import Finder
    from desktop.gui.theme import Theme
    from desktop.servers.service import McpService
    from desktop.values.tool_types import JsonObject

SERVER: Final = "calculator"
TOOL: Final = "calculator:calculate"
ARGUMENTS: JsonObject = {"operation": "multiply", "a": 6, "b": 7}


class FirstCall(QObject):
    """Proposes a first call once the calculator has tools; gives up when its page is hidden."""

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
_WELCOMED = "servers/welcomed"


class _Step(QFrame):
    """A card: a sign, what it is, what it gives, and its buttons."""

    def __init__(self, theme: Theme, icon: str) -> None:
        super().__init__()
        style(self, "card")
        sign = QLabel()
        set_icon(theme, sign, icon, "accent", size=_ICON)
        self.title, self.sentence = QLabel(), plain_label("", "muted")
        style(self.title, "heading")
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(space(2))
        text = InnerColumn(self.title, self.sentence, Gap(1), self.buttons, spacing=1)
        in_row(self, (sign, TOP), (text, 1), margins=(4, 3, 4, 4), spacing=4)

    def add_button(self) -> QPushButton:
        button = QPushButton()
        self.buttons.addWidget(button)
        return button


class WelcomeView(QFrame):
    """Three steps; the one for imports says what was found."""

    calculator_requested = Signal()
    import_requested = Signal(str)
    """From the client with this key; from wherever there is something, where it is empty."""
    add_requested = Signal()
    finder_requested = Signal(object)
    """With this `Finder`."""

    def __init__(self, theme: Theme, finders: Sequence[Finder] = ()) -> None:
        super().__init__()
        self._theme = theme
        self._found: list[DetectedClient] | None = None
        self._title, self._sentence = QLabel(), QLabel()
        self._calculator = _Step(theme, "play")
        self._import = _Step(theme, "servers")
        self._add = _Step(theme, "plus")
        self.try_calculator = self._calculator.add_button()
        self.finders = {finder: self._add.add_button() for finder in finders}
        self.add = self._add.add_button()
        self.other_file = self._import.add_button()
        self.apps: list[QPushButton] = []
        self.try_calculator.clicked.connect(self.calculator_requested)
        self.add.clicked.connect(self.add_requested)
        for finder, button in self.finders.items():
            set_icon(theme, button, "search")
            finder.connect_button(button, self.finder_requested.emit)
        self.other_file.clicked.connect(lambda: self.import_requested.emit(""))
        self._lay_out()
        self._set_texts()

    def show_found(self, found: Sequence[DetectedClient]) -> None:
        """Offer the clients that have servers here."""
        self._found = [client for client in found if client.count]
        for button in self.apps:
            self._import.buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.apps = [self._app_button(client) for client in self._found[:_MAX_APPS]]
        for at, button in enumerate(self.apps):
            self._import.buttons.insertWidget(at, button)
        self._set_texts()

    def set_calculator(self, is_there: bool) -> None:
        self._calculator.setVisible(is_there)

    def _app_button(self, found: DetectedClient) -> QPushButton:
        app = found.source.app
        key = app.key if app is not None else ""
        button = QPushButton()
        button.setToolTip(plain_tip(str(found.source.path)))
        button.clicked.connect(lambda: self.import_requested.emit(key))
        return button

    def _lay_out(self) -> None:
        style(self._title, "title")
        style(self._sentence, "muted")
        style(self.try_calculator, "primary")
        set_icon(self._theme, self.try_calculator, "play", "accent_text")
        set_icon(self._theme, self.add, "plus")
        self._sentence.setWordWrap(True)
        column = in_column(self, self._title, self._sentence, margins=(0, 2, 0, 4), spacing=3)
        for step in (self._calculator, self._import, self._add):
            step.buttons.addStretch(1)
            column.addWidget(step)

    def _set_texts(self) -> None:
        self._title.setText(self.tr("Welcome"))
        self._sentence.setText(
            self.tr("MCP servers provide tools for you and your models. Choose how to start:")
        )
        self._calculator.title.setText(self.tr("Try a tool now"))
        self._calculator.sentence.setText(
            self.tr("The built-in calculator needs no setup. Its form opens filled in: press Run.")
        )
        self.try_calculator.setText(self.tr("Try the built-in calculator"))
        self._import.title.setText(self.tr("Bring your servers"))
        self._import.sentence.setText(self._import_sentence())
        for button, found in zip(self.apps, self._found or (), strict=False):
            text = self.tr("{app} ({count})")
            button.setText(text.format(app=found.source.label, count=found.count))
            name = counted(
                found.count,
                self.tr("Import from {app}, 1 server"),
                self.tr("Import from {app}, {count} servers"),
                app=found.source.label,
            )
            button.setAccessibleName(name)
        self.other_file.setText(self._other())
        self._add.title.setText(self.tr("Add a server"))
        sentence = self.tr(
            "Copy its command, its address or the JSON from its README, and press Ctrl+V here."
        )
        for finder, button in self.finders.items():
            button.setText(finder.step)
            sentence = finder.welcome
        self._add.sentence.setText(named_keys(sentence))
        self.add.setText(self.tr("Add a server…"))

    def _other(self) -> str:
        if more := len(self._found or ()) - len(self.apps):
            return self.tr("{count} more…").format(count=more)
        return self.tr("Other…") if self.apps else self.tr("Import from a file…")

    def _import_sentence(self) -> str:
        if self._found is None:
            return self.tr("Looking for other apps with MCP servers on this computer…")
        if not self._found:
            return self.tr("From another app's config file. You review it first; nothing starts.")
        return self.tr("Found on this computer. You review it first; nothing starts.")


class NoServersView(QWidget):
    """The welcome, or the hint for a person who had servers before; hidden while one is on."""

    calculator_requested = Signal()
    import_requested = Signal(str)
    """As `WelcomeView.import_requested`."""
    add_requested = Signal()
    finder_requested = Signal(object)

    def __init__(self, theme: Theme, settings: QSettings, finders: Sequence[Finder] = ()) -> None:
        super().__init__()
        self._settings = settings
        self.welcome = WelcomeView(theme, finders)
        self.hint = EmptyState(theme, "servers", "", "")
        self._add = self.hint.add_button(self.tr("Add a server…"), self.add_requested.emit, "plus")
        for finder in finders:
            find = partial(self.finder_requested.emit, finder)
            self.hint.add_button(finder.step, find, "search")
        self._import = self.hint.add_button(
            self.tr("Import from another app…"), lambda: self.import_requested.emit("")
        )
        self.welcome.calculator_requested.connect(self.calculator_requested)
        self.welcome.import_requested.connect(self.import_requested)
        self.welcome.add_requested.connect(self.add_requested)
        self.welcome.finder_requested.connect(self.finder_requested)
        in_column(self, self.hint, self.welcome, spacing=0)
        self.hint.set_text(
            self.tr("No servers yet"),
            self.tr(
                "MCP servers provide tools for you and your models. Add one by command, "
                "address, or the JSON in its README."
            ),
        )

    def show_state(
        self, *, has_servers: bool, is_any_on: bool, has_error: bool, has_calculator: bool
    ) -> None:
        """Show what a person without servers is told.

        Args:
            has_servers: of the person's own.
            is_any_on: a built-in one, for instance: nobody has to be told how to begin.
            has_error: their file cannot be read.
            has_calculator: the built-in one is there.
        """
        if has_servers and not self._is_welcomed:
            self._settings.setValue(_WELCOMED, 1)
        is_empty = not (has_servers or is_any_on or has_error)
        self.welcome.set_calculator(has_calculator)
        self.welcome.setVisible(is_empty and not self._is_welcomed)
        self.hint.setVisible(is_empty and self._is_welcomed)
        self.setVisible(is_empty)

    def focus_first_step(self) -> None:
        first = self._add if self.welcome.isHidden() else self.welcome.try_calculator
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _is_welcomed(self) -> bool:
        """Whether there were servers of the person's before: then the welcome is over for good."""
        return self._settings.value(_WELCOMED) is not None
