"""The right side of the Servers page: one server's state, error, facts, tools, stderr and buttons.

Shows one connection; every change is requested from the page.
"""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QCoreApplication, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QSyntaxHighlighter
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
)

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.config.containers import makes_container, may_touch
from desktop.gui import bridge
from desktop.gui.layouts import MIDDLE, InnerRow, in_column
from desktop.gui.servers import labels
from desktop.gui.servers.builtin_settings_view import BuiltinSettingsView
from desktop.gui.servers.error_view import ErrorView
from desktop.gui.servers.tool_switches import ToolSwitchesView
from desktop.gui.servers.trust_view import TrustPanel
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.action_row import more_button
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label, selectable_label
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.widgets.visibility import scroll_inside
from desktop.servers.transport.launch import withheld_variables
from desktop.servers.transport.stderr_log import is_divider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sized

    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QWidget

    from desktop.base.errors import NextStep
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.gui.servers.process_usage import ProcessUsage
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.token_words import ToolCosts
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.connection import ServerConnection
    from desktop.servers.transport.stderr_log import StderrLog

translate = QCoreApplication.translate
MAX_LINES = 1000
_BATCH_MS = 50
_LINE = 1000  # characters shown of a line: laying out longer ones costs more than they tell


_MAX_WITHHELD = 20


def known_facts(
    connection: ServerConnection, usage: ProcessUsage | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The long facts, a line each, and the short ones."""
    config = connection.config
    is_program = config.transport == "stdio"
    long = {
        translate("ServerFacts", "Command")
        if is_program
        else translate("ServerFacts", "Address"): labels.target_label(config)
    }
    if config.cwd:
        long[translate("ServerFacts", "Folder")] = config.cwd
    if origin := config.catalogue.get("name"):
        version = config.catalogue.get("version", "")
        text = labels.one_line(f"{origin} {version}")
        long[translate("ServerFacts", "From the catalogue")] = mark_hidden(text)
    if is_program:
        long |= _bounds(config)
    if config.transport == "stdio" and not config.builtin:
        withheld = withheld_variables(os.environ, config.env)
        if withheld:
            long[translate("ServerFacts", "Not passed on")] = listed(withheld[:_MAX_WITHHELD])
    short = {translate("ServerFacts", "Transport"): labels.transport_label(config.transport)}
    if connection.is_connected and (identity := _identity(connection)):
        long[translate("ServerFacts", "Server name")] = labels.one_line(identity)
    if connection.is_connected and (offers := listed(_offers(connection))):
        long[translate("ServerFacts", "Offers")] = offers
    short |= _session_facts(connection)
    if (pid := connection.pid) is not None:
        short[translate("ServerFacts", "PID")] = str(pid)
    if usage is not None:
        short[translate("ServerFacts", "Memory")] = labels.memory_label(usage.memory)
        short[translate("ServerFacts", "Running for")] = labels.uptime_label(usage.seconds)
    return long, short


def _bounds(config: ServerConfig) -> dict[str, str]:
    """What a program is held to."""
    found: dict[str, str] = {}
    if config.sandbox.is_on or makes_container(config.command):
        words = mark_hidden(spoken(may_touch(config, config.sandbox)))
        found[translate("ServerFacts", "May touch")] = words
    if config.limits.are_set:
        found[translate("ServerFacts", "Limits")] = spoken(config.limits.words)
    return found


def _identity(connection: ServerConnection) -> str:
    about = connection.about
    return " ".join(part for part in (about.title or about.name, about.version) if part)


def _session_facts(connection: ServerConnection) -> dict[str, str]:
    seconds = connection.state.connect_seconds
    if not connection.is_connected or seconds is None:
        return {}
    about = connection.about
    facts = {
        translate("ServerFacts", "Protocol"): about.protocol,
        translate("ServerFacts", "Ready in"): labels.seconds_label(seconds),
    }
    return {name: value for name, value in facts.items() if value}


def _offers(connection: ServerConnection) -> Iterator[str]:
    """What it declares beside tools; counted where somebody has read the list."""
    declared = connection.capabilities
    if declared.resources:
        listed = connection.resources.listed if connection.resources.was_listed else None
        yield _counted(translate("ServerFacts", "resources"), listed)
    if declared.prompts:
        listed = connection.prompts.listed if connection.prompts.was_listed else None
        yield _counted(translate("ServerFacts", "prompts"), listed)
    if declared.completions:
        yield translate("ServerFacts", "argument completion")
    if declared.logging:
        yield translate("ServerFacts", "logging")


def _counted(name: str, listed: Sized | None) -> str:
    return name if listed is None else f"{name} ({len(listed):,})"


_MAX_FACT_LENGTH = 500
_COLUMNS = 2


class ServerInfoView(QFrame):
    """Two columns of facts; a long one takes a whole line. Labels are kept and reused."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(4))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        self._pairs: dict[str, tuple[QLabel, QLabel]] = {}
        self._keys: tuple[tuple[str, bool], ...] = ()

    def show_facts(self, long: Mapping[str, str], short: Mapping[str, str]) -> None:
        """Show `long` facts on lines of their own, then the `short` ones side by side."""
        keys = (*((key, True) for key in long), *((key, False) for key in short))
        if keys != self._keys:
            self._arrange(keys)
        for key, text in {**long, **short}.items():
            value = self._pairs[key][1]
            shown = text if len(text) <= _MAX_FACT_LENGTH else f"{text[:_MAX_FACT_LENGTH]}…"
            if value.text() != shown:
                value.setText(shown)
                value.setAccessibleName(f"{key}: {shown}")

    def value(self, key: str) -> str:
        """What is shown for `key`; empty when it is not."""
        return self._pairs[key][1].text() if any(key == name for name, _ in self._keys) else ""

    def _arrange(self, keys: tuple[tuple[str, bool], ...]) -> None:
        for pair in self._pairs.values():
            for label in pair:
                self._grid.removeWidget(label)
                label.hide()
        self._keys = keys
        row = column = 0
        for key, is_long in keys:
            name, value = self._pair(key, is_long=is_long)
            style(value, *(("mono", "small") if is_long else ()))
            self._grid.addWidget(name, row, column * 2, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, column * 2 + 1, 1, 3 if is_long else 1)
            name.show()
            value.show()
            column = 0 if is_long else (column + 1) % _COLUMNS
            row += column == 0

    def _pair(self, key: str, *, is_long: bool) -> tuple[QLabel, QLabel]:
        if key not in self._pairs:
            name, value = QLabel(key, self), selectable_label("")
            style(name, "muted", "small")
            value.setWordWrap(is_long)
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            value.setMinimumWidth(space(10))
            self._pairs[key] = name, value
        return self._pairs[key]


Show: TypeAlias = "Callable[[ServerConnection | None], object]"
"""Shows another server from now on, or what the same one is now."""
MadeTab: TypeAlias = "tuple[QWidget, Show]"
"""A tab of a feature, and what has it show another server."""


class _Tab:
    """What a feature adds, as in `add_tab`; made with the first server that has it."""

    def __init__(
        self, title: str, make: Callable[[], MadeTab], is_wanted: Callable[[ServerConnection], bool]
    ) -> None:
        self.title, self.make, self.is_wanted = title, make, is_wanted
        self.made: MadeTab | None = None


class ServerDetailsView(QFrame):
    """The right side of the page."""

    restart_requested = Signal(str)
    edit_requested = Signal(str)
    remove_requested = Signal(str)
    review_requested = Signal(str)
    compare_requested = Signal(str)
    tool_switch_requested = Signal(str, str, bool)
    step_requested = Signal(str, object)
    arguments_changed = Signal(str, object)

    def __init__(self, theme: Theme, store: ConfigStore | None = None) -> None:
        """Args: store: knows what was agreed to; it is not changed."""
        super().__init__()
        self._store = store
        self._connection: ServerConnection | None = None
        self._usage: ProcessUsage | None = None
        self.name, self.badge = ElidedLabel(), QLabel()
        self.note = plain_label("", "muted", "small")
        self.progress = plain_label("", "accent")
        self.remove = QAction(self.tr("Remove…"), self)
        self.edit = QPushButton(self.tr("Edit…"))
        self.restart = QPushButton(self.tr("Restart"))
        self.compare = QAction(self.tr("Compare…"), self)
        self.more = more_button(theme, (self.compare, self.remove))
        self.error, self.trust = ErrorView(theme), TrustPanel(theme)
        self.builtin = BuiltinSettingsView(theme)
        self.facts = ServerInfoView()
        self.tools = ToolSwitchesView(theme)
        self.output = StderrView(theme)
        self.instructions = WrappedTextEditor()
        self._more_tabs: list[_Tab] = []
        self._shows: list[Show] = []
        self.tabs = _Tabs()
        self._style(theme)
        self._lay_out()
        self._connect()
        self.restart.setToolTip(named_keys(self.tr("Stop the server and start it again (Ctrl+R)")))
        self.edit.setToolTip(self.tr("Change its command or address (F2)"))
        self.remove.setToolTip(self.tr("Remove it from the configuration (Del)"))
        self.compare.setToolTip(self.tr("What of the tools differs from another server"))
        self.tabs.setTabText(1, self.tr("Output"))
        self.tabs.setTabText(2, self.tr("Instructions"))
        self.tabs.setTabToolTip(2, self.tr("The server's instructions for models"))
        self.instructions.setAccessibleName(self.tr("Instructions"))
        self._name_tabs(self._connection)
        self.setAccessibleName(self.tr("Details of the server"))
        self.refresh()

    @property
    def connection(self) -> ServerConnection | None:
        return self._connection

    def show_server(self, connection: ServerConnection | None) -> None:
        """Show another server from now on, or none."""
        if connection is not self._connection:
            self._connection, self._usage = connection, None
            self.tools.filter.clear()
        if connection is None:
            made = [tab.made[1] for tab in self._more_tabs if tab.made is not None]
            for show in (*made, *self._shows):
                show(None)
        self.output.show_output(connection.output if connection is not None else None)
        if connection is not None:
            self.refresh()

    def show_start(self, name: str, fetch: PackageFetch | None) -> None:
        """Say how long the shown server has been starting, and what is fetched for it."""
        if self._connection is not None and self._connection.name == name:
            self.refresh()
            words = labels.start_label(self._connection, fetch)
            self.progress.setText(words)
            self.progress.setVisible(bool(words))

    def show_costs(self, costs: ToolCosts) -> None:
        """Say what the tools of the shown server cost in every request."""
        name = self._connection.name if self._connection is not None else ""
        self.tools.show_tokens(costs.tools.get(name, {}), costs.servers.get(name, 0))

    def add_tab(
        self, title: str, make: Callable[[], MadeTab], is_wanted: Callable[[ServerConnection], bool]
    ) -> None:
        """Have a tab of a feature, seen for connected servers for which it `is_wanted`."""
        self._more_tabs.append(_Tab(title, make, is_wanted))
        self.refresh()

    def _show_more_tabs(self, connection: ServerConnection) -> None:
        for tab in self._more_tabs:
            is_wanted = connection.is_connected and tab.is_wanted(connection)
            if is_wanted and tab.made is None:
                tab.made = tab.make()
                self.tabs.addTab(tab.made[0], tab.title)
            if tab.made is not None:
                tab.made[1](connection)
                self.tabs.setTabVisible(self.tabs.indexOf(tab.made[0]), is_wanted)

    def add_below_error(self, part: QWidget) -> None:
        """Put what helps against an error where the error stands."""
        self._column.insertWidget(self._column.indexOf(self.error) + 1, part)

    def follow(self, show: Show) -> None:
        """Tell a feature which server is shown, from now on."""
        self._shows.append(show)

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
        state = labels.state_label(connection)
        source = connection.config.source
        self.name.show_text(mark_hidden(connection.name))
        self.badge.setText(state.text)
        style(self.badge, "badge", *state.roles)
        is_untrusted = connection.state.phase == "untrusted"
        if connection.state.phase != "starting" or not connection.is_enabled:
            self.progress.hide()
        is_shown = connection.is_enabled and not is_untrusted
        self.error.show_failure(connection if is_shown else None)
        self._show_trust(connection.name if is_untrusted else "")
        self.builtin.show_server(connection.config)
        self.builtin.setHidden(self.builtin.isHidden() or is_untrusted)
        self.facts.setHidden(is_untrusted)  # of its command they show a part alone
        self.restart.setEnabled(connection.is_enabled and not is_untrusted)
        for each in (self.edit, self.remove):
            each.setVisible(source == "file")
        self.note.setText(self._note(connection))
        self.note.setHidden(source == "file")
        self._show_facts(connection)
        self.tools.show_tools(connection)
        self._name_tabs(connection)
        self._show_instructions(connection.about.instructions)
        self._show_more_tabs(connection)
        for show in self._shows:
            show(connection)

    def _show_trust(self, name: str) -> None:
        untrusted = self._store.untrusted.get(name) if self._store is not None else None
        differences = self._store.differences(name) if self._store is not None and untrusted else []
        self.trust.show_untrusted(untrusted, differences)

    def _note(self, connection: ServerConnection) -> str:
        """Why it cannot be edited, or what it is for."""
        if connection.config.source == "environment":
            return self.tr("Defined in MCP_SERVERS: it can be switched on and off, but not edited.")
        return labels.purpose_label(connection.config)

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

    def _style(self, theme: Theme) -> None:
        style(self.name, "title")
        style(self.badge, "badge")
        for quiet in (self.restart, self.edit):
            style(quiet, "flat")
        self.compare.setVisible(False)  # until a feature offers it
        set_icon(theme, self.restart, "restart")
        set_icon(theme, self.edit, "edit")
        set_icon(theme, self.remove, "trash")
        self.badge.setTextFormat(Qt.TextFormat.PlainText)
        self.progress.hide()
        self.instructions.setReadOnly(True)
        self.instructions.setTabChangesFocus(True)
        style(self.instructions, "well")
        self.badge.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)

    def _connect(self) -> None:
        self.restart.clicked.connect(lambda: self._request(self.restart_requested))
        self.edit.clicked.connect(lambda: self._request(self.edit_requested))
        self.remove.triggered.connect(lambda: self._request(self.remove_requested))
        self.compare.triggered.connect(lambda: self._request(self.compare_requested))
        self.trust.review_requested.connect(lambda: self._request(self.review_requested))
        self.builtin.arguments_changed.connect(self.arguments_changed)
        self.error.steps.step_requested.connect(self._request_step)
        self.tools.switch_requested.connect(self._request_tool_switch)

    def _request(self, signal: SignalInstance) -> None:
        if self._connection is not None:
            signal.emit(self._connection.name)

    def _request_step(self, step: NextStep) -> None:
        if self._connection is not None:
            self.step_requested.emit(self._connection.name, step)

    def _request_tool_switch(self, tool: str, enabled: bool) -> None:
        if self._connection is not None:
            self.tool_switch_requested.emit(self._connection.name, tool, enabled)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(space(2))
        buttons.addSpacing(-space(3))  # their words stand below the name
        for button in (self.restart, self.edit, self.more):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.tabs.addTab(self.tools, "")
        self.tabs.addTab(self.output, "")
        self.tabs.addTab(self.instructions, "")
        self.tabs.setDocumentMode(True)
        parts = (self.note, self.progress, self.error, self.trust, self.builtin, self.facts)
        body, area = QFrame(), QScrollArea()
        self._column = in_column(body, *parts, (self.tabs, 1), margins=(4, 0, 4, 4), spacing=3)
        scroll_inside(area, body)
        name = InnerRow((self.name, 1), (self.badge, MIDDLE), spacing=3, margins=(4, 0, 4, 0))
        actions = InnerRow(buttons, margins=(4, 0, 4, 0))
        in_column(self, name, actions, (area, 1), spacing=3)


class _Tabs(QTabWidget):
    """Takes the room that is left over; below its least height, what is around it scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(space(40))  # their bar, and some lines

    def hasHeightForWidth(self) -> bool:
        return False

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())


class _Tap(QObject):
    """Feeds one server's lines into the view, until another server is shown."""

    def __init__(self, view: StderrView, output: StderrLog) -> None:
        super().__init__(view)
        self._view: StderrView | None = view
        self.output = output
        bridge.connect(self, output.received, self._received)

    def end(self) -> None:
        self._view = None
        self.deleteLater()

    def _received(self, lines: tuple[str, ...]) -> None:
        if self._view is not None:
            self._view.take(lines)


class _Dividers(QSyntaxHighlighter):
    """Draws the lines between two runs so that they recede."""

    def __init__(self, theme: Theme, text: QPlainTextEdit) -> None:
        super().__init__(text.document())
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        if is_divider(text):
            self.setFormat(0, len(text), self._theme.color("muted"))


class StderrView(QFrame):
    """The lines, a button to copy them, and where all of them are on the disk."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._waiting: deque[str] = deque(maxlen=MAX_LINES)
        self._tap: _Tap | None = None
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.mono_font())
        self.text.setTabChangesFocus(True)
        style(self.text, "well", "mono", "small")
        self._dividers = _Dividers(theme, self.text)
        self._follows = True
        bar = self.text.verticalScrollBar()
        bar.valueChanged.connect(self._note_scrolled)
        bar.rangeChanged.connect(self._follow)
        self._place = ElidedLabel()
        style(self._place, "muted", "small", "mono")
        self.open_file = QPushButton(self.tr("Open log file"))
        self.copy = QPushButton(self.tr("Copy"))
        set_icon(theme, self.copy, "copy", "muted")
        set_icon(theme, self.open_file, "file", "muted")
        self.copy.clicked.connect(self._copy)
        self.open_file.clicked.connect(self._open)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_BATCH_MS)
        self._timer.timeout.connect(self.flush)
        self._lay_out()
        self.text.setAccessibleName(self.tr("Output of the server (stderr)"))
        self.text.setPlaceholderText(self.tr("Nothing written to stderr yet."))
        self.copy.setAccessibleName(self.tr("Copy the output"))

    def show_output(self, output: StderrLog | None) -> None:
        """Show another server's lines from now on, or none."""
        if self._tap is not None:
            if self._tap.output is output:
                return
            self._tap.end()
        self._tap = _Tap(self, output) if output is not None else None
        self._waiting.clear()
        self.text.clear()
        self._follows = True
        if output is not None:
            self.take(tuple(output.lines))
            self.flush()
        file = output.file if output is not None else None
        self._place.show_text(str(file) if file is not None else "")
        self.open_file.setEnabled(file is not None)

    def take(self, lines: tuple[str, ...]) -> None:
        """Append lines, soon and together with those that come meanwhile."""
        self._waiting.extend(line[:_LINE] for line in lines[-MAX_LINES:])
        if not self._timer.isActive() and self._waiting:
            self._timer.start()

    def flush(self) -> None:
        """Append what waits now."""
        self._timer.stop()
        if not self._waiting:
            return
        lines = mark_hidden_text("\n".join(self._waiting))
        self._waiting.clear()
        bar = self.text.verticalScrollBar()
        at, follows = bar.value(), self._follows
        self.text.appendPlainText(lines)
        self._follows = follows
        bar.setValue(bar.maximum() if follows else at)

    def _note_scrolled(self, value: int) -> None:
        """Whoever scrolls up wants to read there; whoever comes back to the end, to follow."""
        self._follows = value >= self.text.verticalScrollBar().maximum()

    def _follow(self) -> None:
        """The text was laid out anew, as when its tab is opened: the newest line stays in sight."""
        if self._follows:
            bar = self.text.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _copy(self) -> None:
        self.flush()
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _open(self) -> None:
        """Open the log, or its folder while nothing was written yet."""
        if self._tap is not None and (file := self._tap.output.file) is not None:
            target = file if file.exists() else file.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(target)))

    def _lay_out(self) -> None:
        row = InnerRow((self._place, 1), self.copy, self.open_file)
        in_column(self, (self.text, 1), row, margins=(0, 2, 0, 0))
