"""The Activity page: all calls, the messages behind them, and the log, each in a tab.

Only shows: must not run calls or store anything. Other tabs are added with `add_tab`.
"""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)

from desktop.gui import shortcuts
from desktop.gui.activity import message_labels
from desktop.gui.activity.history_view import HistoryView
from desktop.gui.activity.server_messages import SERVER, level_name
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.window_state import saved_number
from desktop.servers.transport.stderr_log import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QHideEvent, QShowEvent

    from desktop.diagnostics.logs import LogBuffer, LogLine
    from desktop.gui.activity.messages_view import MessagesView
    from desktop.gui.theme import Theme
    from desktop.history.store import HistoryStore
    from desktop.redaction.redactor import Redaction
    from desktop.servers.message_log import MessageLog
    from desktop.tools.call_log import CallLog

_TAB = "activity/open"
_CALLS, _MESSAGES, _LOGS = range(3)

LOOK_MS = 250
_LOG_LEVEL = "activity/logs/level"
_SOURCES = ("", "app", "servers")
_LOG_LEVELS = (logging.NOTSET, logging.WARNING, logging.ERROR)


class ActivityPage(QFrame):
    """Tabs under a title; the open one is remembered."""

    open_call_requested = Signal(str, object)
    """Key and arguments of a call that a person wants to see in its form."""
    open_offer_requested = Signal(object, object)
    """A `Summary` of the history and its arguments: a resource or prompt to be seen again."""
    tools_requested = Signal()
    servers_requested = Signal()
    messages_made = Signal(object)
    """The `MessagesView`, when it is first looked at."""
    tab_added = Signal()

    def __init__(
        self,
        theme: Theme,
        traffic: MessageLog,
        history: HistoryStore,
        calls: CallLog,
        logs: LogBuffer,
        settings: QSettings,
    ) -> None:
        super().__init__()
        self._theme, self._traffic, self._logs, self._settings = theme, traffic, logs, settings
        self._wanted = saved_number(settings, _TAB)
        self._title = QLabel(self.tr("Activity"))
        self.banners = BannerArea(theme)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self._lay_out()
        self.calls = HistoryView(theme, history, calls, traffic.redaction, settings)
        self.calls.setContentsMargins(0, space(3), 0, 0)
        for view in (self.calls, QWidget(), QWidget()):
            self.tabs.addTab(view, "")
        self._set_texts()
        self._connect()
        self.tabs.setCurrentIndex(self._wanted)

    @cached_property
    def messages(self) -> MessagesView:
        """Made when they are first looked at, as the logs are: the page is there sooner."""
        from desktop.gui.activity.messages_view import MessagesView

        made = MessagesView(self._theme, self._traffic, self._settings)
        made.servers_requested.connect(self.servers_requested)
        made.exported.connect(self._tell_exported)
        self._put(_MESSAGES, made)
        self.messages_made.emit(made)
        return made

    @cached_property
    def logs(self) -> LogsView:
        """The log of the app."""
        made = LogsView(self._theme, self._logs, self._traffic.redaction, self._settings)
        self._put(_LOGS, made)
        return made

    @property
    def awaits_tab(self) -> bool:
        """Whether the tab that was open last is still to be added."""
        return self._wanted >= self.tabs.count()

    def add_tab(self, title: str, widget: QWidget) -> None:
        """Append a tab."""
        self.tabs.addTab(widget, title)
        if self.tabs.indexOf(widget) == self._wanted:  # it was open at the end of the last run
            self.tabs.setCurrentWidget(widget)
        self.tab_added.emit()

    def show_tool(self, key: str) -> None:
        """Show the calls of one tool, `server:tool`."""
        self.tabs.setCurrentWidget(self.calls)
        self.calls.list.search.setText(key)

    def show_error(self, message: str) -> None:
        """Show an error; the bridge reports failures here, too."""
        self.banners.show_banner("error", "error", message)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill(self.tabs.currentIndex())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        (self.tabs.currentWidget() or self.tabs).setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._follow_tab)
        self.calls.open_call_requested.connect(self.open_call_requested)
        self.calls.open_offer_requested.connect(self.open_offer_requested)
        self.calls.tools_requested.connect(self.tools_requested)
        self.calls.exported.connect(self._tell_exported)

    def _follow_tab(self, tab: int) -> None:
        self._wanted = tab
        self._settings.setValue(_TAB, tab)
        if self.isVisible():
            self._fill(tab)

    def _fill(self, tab: int) -> None:
        """Make the view of this tab, if that was not done yet."""
        make = {_MESSAGES: lambda: self.messages, _LOGS: lambda: self.logs}.get(tab)
        if make is not None:
            make()

    def _put(self, tab: int, view: QWidget) -> None:
        """Put a view in the place of the empty one that has its tab."""
        empty, is_open = self.tabs.widget(tab), self.tabs.currentIndex() == tab
        has_focus = empty is not None and empty.hasFocus()
        with QSignalBlocker(self.tabs):
            self.tabs.insertTab(tab, view, self.tabs.tabText(tab))
            self.tabs.removeTab(tab + 1)
            if is_open:
                self.tabs.setCurrentIndex(tab)
        view.setAccessibleName(self.tabs.tabText(tab))
        if has_focus:
            view.setFocus(Qt.FocusReason.OtherFocusReason)
        if empty is not None:
            empty.deleteLater()

    def _tell_exported(self, file: str, lines: int) -> None:
        words = counted(
            lines,
            self.tr("Exported 1 line to {file}. Known secrets were removed."),
            self.tr("Exported {count} lines to {file}. Known secrets were removed."),
            file=file,
        )
        self.banners.remove("error")
        self.banners.show_banner("exported", "info", words)

    def _lay_out(self) -> None:
        style(self, "page")
        style(self._title, "title")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        in_column(self, self._title, self.banners, (self.tabs, 1), margins=4)

    def _set_texts(self) -> None:
        self.tabs.setAccessibleName(self.tr("Activity"))
        for at, title in enumerate((self.tr("Calls"), self.tr("Messages"), self.tr("Logs"))):
            self.tabs.setTabText(at, title)
            if (view := self.tabs.widget(at)) is not None:
                view.setAccessibleName(title)  # an empty view takes the focus itself


class LogsView(QFrame):
    """The last lines of the app's own log, filtered by level and text.

    A text that grows at its end and scrolls along, unless a person scrolled up. Polls only while it
    is visible, because log records come from any thread and are not announced.
    """

    def __init__(
        self,
        theme: Theme,
        logs: LogBuffer,
        redaction: Callable[[], Redaction],
        settings: QSettings,
    ) -> None:
        """Args: redaction: removes the secrets of all servers."""
        super().__init__()
        self._logs, self._redaction, self._settings = logs, redaction, settings
        self._seen = 0
        self.filter = SearchField()
        self.filter.setToolTip(named_keys("Ctrl+F"))
        self.level = QComboBox()
        for level in _LOG_LEVELS:
            self.level.addItem("", level)
        self.source = QComboBox()
        for source in _SOURCES:
            self.source.addItem("", source)
        self.clear = QPushButton(self.tr("Clear"))
        self.copy = QPushButton(self.tr("Copy"))
        set_icon(theme, self.copy, "copy", "muted")
        set_icon(theme, self.clear, "trash", "muted")
        guard_focus(self.clear)
        self.text = QPlainTextEdit()
        self.setFocusProxy(self.text)
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.mono_font())
        self.text.setTabChangesFocus(True)
        style(self.text, "well", "mono", "small")
        for quiet in (self.clear, self.copy):
            style(quiet, "flat")
        self._timer = QTimer(self, interval=LOOK_MS)
        self._lay_out()
        self._set_texts()
        at = self.level.findData(saved_number(settings, _LOG_LEVEL))
        self.level.setCurrentIndex(max(0, at))
        self._connect()

    def look(self) -> None:
        """Append the lines that came since the last refresh."""
        lines = self._logs.after(self._seen)
        if not lines:
            return
        self._seen = lines[-1].number
        redaction = self._redaction()
        texts = [redaction.text(_line_label(line)) for line in lines if self._fits(line)]
        if not texts:
            return
        bar = self.text.verticalScrollBar()
        at, is_at_end = bar.value(), bar.value() >= bar.maximum()
        self.text.appendPlainText("\n".join(texts))
        bar.setValue(bar.maximum() if is_at_end else at)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _fits(self, line: LogLine) -> bool:
        wanted = self.filter.text().strip().lower()
        if line.level < (self.level.currentData() or 0):
            return False
        source = self.source.currentData()
        if source and (source == "servers") is not line.name.startswith(SERVER):
            return False
        return not wanted or wanted in line.text.lower() or wanted in line.name.lower()

    def _show_anew(self) -> None:
        self._seen = 0
        self.text.clear()
        self.look()

    def _choose(self) -> None:
        self._settings.setValue(_LOG_LEVEL, self.level.currentData())
        self._show_anew()

    def _clear(self) -> None:
        self._logs.clear()
        self._show_anew()

    def _copy(self) -> None:
        self.look()
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _connect(self) -> None:
        self._timer.timeout.connect(self.look)
        self.filter.textChanged.connect(lambda: self._show_anew())
        self.filter.exited.connect(lambda: self.text.setFocus())
        self.level.currentIndexChanged.connect(lambda: self._choose())
        self.source.currentIndexChanged.connect(lambda: self._show_anew())
        self.copy.clicked.connect(self._copy)
        self.clear.clicked.connect(self._clear)
        bind(self, shortcuts.FILTER, self.filter.setFocus)

    def _lay_out(self) -> None:
        row = InnerRow((self.filter, 1), self.source, self.level, self.copy, self.clear)
        in_column(self, row, (self.text, 1), margins=(0, 3, 0, 0))

    def _set_texts(self) -> None:
        self.filter.setPlaceholderText(self.tr("Filter the lines"))
        self.filter.setAccessibleName(self.tr("Filter the lines"))
        for at, text in enumerate(
            (self.tr("All levels"), self.tr("Warnings and errors"), self.tr("Errors only"))
        ):
            self.level.setItemText(at, text)
        for at, text in enumerate(
            (self.tr("App and servers"), self.tr("The app"), self.tr("Servers"))
        ):
            self.source.setItemText(at, text)
        self.source.setAccessibleName(self.tr("Lines of this source"))
        self.level.setAccessibleName(self.tr("Lines of this level"))
        self.text.setAccessibleName(self.tr("Log of the app"))
        self.text.setPlaceholderText(
            self.tr("Nothing logged yet. The output of servers is on the Servers page.")
        )


def _line_label(line: LogLine) -> str:
    level = level_name(line.level)
    return f"{message_labels.time_label(line.at)}  {level:<8} {line.name}: {plain(line.text)}"
