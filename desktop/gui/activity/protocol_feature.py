"""Opens and closes the protocol under the pages, and tells it which call was chosen.

Everything here is made with the first opening: who never looks at the protocol pays nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from desktop.gui import bridge, shortcuts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton

    from desktop.core import Core
    from desktop.gui.activity.messages_view import MessagesView
    from desktop.gui.activity.protocol_drawer import ProtocolDrawer
    from desktop.gui.activity.send_request import RequestSender
    from desktop.gui.main_window import MainWindow
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
        from desktop.gui.activity.protocol_drawer import ProtocolDrawer

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
