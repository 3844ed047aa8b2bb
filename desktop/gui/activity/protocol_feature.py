"""The protocol under any page: the messages as they pass, of the chosen call or all of them.

The drawer, and what it imports, is made with the first opening and follows the log only while it is
open: who never looks at the protocol pays nothing. Must not know the pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.shortcuts import bind
from desktop.gui.theme import space, style
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.segments import Segments

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.activity.messages_view import MessagesView
    from desktop.gui.activity.send_request import RequestSender
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog
    from desktop.tools.call_log import CallLog, LoggedCall

_SPLIT = "protocol/height"


class ProtocolFeature(QObject):
    """The drawer of one window; `button` in the strip opens and closes it, as Ctrl+` does."""

    def __init__(self, window: MainWindow, core: Core, calls: CallLog) -> None:
        super().__init__(window)
        self._window, self._core = window, core
        self._drawer: ProtocolDrawer | None = None
        self._sender: RequestSender | None = None
        self._call: LoggedCall | None = None
        self.button: QPushButton = window.add_strip_button()
        self.button.setCheckable(True)
        self.button.clicked.connect(self.toggle)
        bridge.connect(window, calls.changed, self._note_call)
        translate = QCoreApplication.translate
        self.button.setText(translate("ProtocolFeature", "Protocol"))
        words = translate("ProtocolFeature", "The messages to and from the servers")
        self.button.setToolTip(f"{words} ({shortcuts.PROTOCOL.label})")

    @property
    def drawer(self) -> ProtocolDrawer | None:
        """The drawer, if it was opened yet."""
        return self._drawer

    def toggle(self) -> None:
        """Open it, or close it."""
        drawer = self._drawer or self._make()
        is_open = drawer.isHidden()
        drawer.setVisible(is_open)
        self.button.setChecked(is_open)
        if is_open:
            drawer.choose_call(self._call)
            drawer.setFocus()
        elif (page := self._window.page(self._window.current_page)) is not None:
            page.setFocus()

    def choose_call(self, call: LoggedCall | None) -> None:
        """A person has chosen this call somewhere; None: one that this run does not know."""
        self._call = call
        if self._drawer is not None and self._drawer.isVisible():
            self._drawer.choose_call(call)

    def serve(self, view: MessagesView) -> None:
        """Have the requests of this view sent again, too."""
        self._requests().serve(view)

    def _note_call(self, call: LoggedCall) -> None:
        """Outside the list of calls, the call that was begun last is the chosen one."""
        if self._window.current_page != "activity" and len(call.steps) == 1:
            self.choose_call(call)

    def _make(self) -> ProtocolDrawer:
        window = self._window
        drawer = ProtocolDrawer(window.theme, self._core.traffic, window.state.settings)
        drawer.hide()
        drawer.closed.connect(self.toggle)
        drawer.messages.servers_requested.connect(lambda: window.show_page("servers"))
        self.serve(drawer.messages)
        window.show_below(drawer, _SPLIT)
        self._drawer = drawer
        return drawer

    def _requests(self) -> RequestSender:
        if self._sender is None:
            from desktop.gui.activity.send_request import RequestSender

            core = self._core
            self._sender = RequestSender(self._window.theme, core.service, core.traffic, self)
        return self._sender


_NO_CALL = "\0"
"""An id that no call has: without a chosen call, none of its messages are shown."""


class ProtocolDrawer(QFrame):
    """A head with the choice of the call, and the messages below it."""

    closed = Signal()

    def __init__(self, theme: Theme, traffic: MessageLog, settings: QSettings) -> None:
        from desktop.gui.activity.messages_view import MessagesView

        super().__init__()
        self._traffic = traffic
        self.call: LoggedCall | None = None
        self.call_name = ElidedLabel()
        self._title = QLabel(self.tr("Protocol"))
        style(self._title, "heading")
        style(self.call_name, "muted", "mono", "small")
        self._segments = Segments(self.tr("All messages"), self.tr("Selected call"))
        self.all, self.one = self._segments.buttons
        self.close_button = QPushButton()
        style(self.close_button, "flat")
        set_icon(theme, self.close_button, "close", "muted")
        self.close_button.clicked.connect(self.closed)
        self.banners = BannerArea(theme)
        self.messages = MessagesView(theme, traffic, settings, Qt.Orientation.Horizontal)
        self.messages.unfiltered.connect(lambda: self.all.setChecked(True))
        self.messages.exported.connect(self._tell_exported)
        self._segments.choice.buttonToggled.connect(lambda: self._show_choice())
        bind(self, shortcuts.CLOSE_PROTOCOL, self.closed.emit)
        self.setFocusProxy(self.messages)
        self._lay_out()
        self._set_texts()

    def choose_call(self, call: LoggedCall | None) -> None:
        """The call whose messages are shown where the person wants those of one call alone."""
        self.call = call
        self._show_choice()

    def show_error(self, message: str) -> None:
        """Show an error; the bridge reports failures here."""
        self.banners.show_banner("error", "error", message)

    def _show_choice(self) -> None:
        from desktop.gui.activity.message_labels import one_line, time_label

        call, is_one = self.call, self.one.isChecked()
        self.one.setEnabled(call is not None or is_one)
        name = ""
        if call is not None:
            redaction = self._traffic.redaction(call.call.key.partition(":")[0])
            name = f"{one_line(redaction.text(call.call.key))}  {time_label(call.at)}"
        self.call_name.show_text(name)
        call_id = call.call.call_id if call is not None else _NO_CALL
        self.messages.show_call(call_id if is_one else "")

    def _tell_exported(self, file: str, _: int) -> None:
        self.banners.remove("error")
        words = self.tr("Exported to {file}.").format(file=file)
        self.banners.show_banner("exported", "info", words)

    def _lay_out(self) -> None:
        style(self, "page")
        row = InnerRow(self._title, self._segments, (self.call_name, 1), self.close_button)
        in_column(self, row, self.banners, (self.messages, 1), margins=(4, 2, 4, 2), spacing=1)

    def _set_texts(self) -> None:
        self.setAccessibleName(self.tr("Protocol"))
        for button in (self.all, self.one):
            _keep_room(button)
        self.one.setToolTip(self.tr("The messages of the call that is selected, or made last"))
        self.close_button.setAccessibleName(self.tr("Close the protocol"))
        self.close_button.setToolTip(self.tr("Close the protocol (Esc)"))


def _keep_room(button: QPushButton) -> None:
    """Make it as wide as it is while it is chosen, in bold letters."""
    font = QFont(button.font())
    font.setWeight(QFont.Weight.DemiBold)
    button.setMinimumWidth(QFontMetrics(font).horizontalAdvance(button.text()) + space(7))
