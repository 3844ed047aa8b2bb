"""The Activity page: all calls, the messages behind them, and the log, each in a tab.

Only shows: must not run calls or store anything. Other tabs are added with `add_tab`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QTabWidget, QWidget

from desktop.gui.activity.history_view import HistoryView
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.window_state import saved_number

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QShowEvent

    from desktop.diagnostics.logs import LogBuffer
    from desktop.gui.activity.logs_view import LogsView
    from desktop.gui.activity.messages_view import MessagesView
    from desktop.gui.theme import Theme
    from desktop.history.store import HistoryStore
    from desktop.servers.message_log import MessageLog
    from desktop.tools.call_log import CallLog

_TAB = "activity/open"
_CALLS, _MESSAGES, _LOGS = range(3)


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
        from desktop.gui.activity.logs_view import LogsView

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
