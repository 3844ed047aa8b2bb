"""The signs that a conversation needs a person: the badge on the rail, and notifications.

The badge shows that a chat is running or needs an approval, also while another page is open. Must
not answer anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.translations import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.features.chat.gui.chats import Chats
    from desktop.gui.main_window import MainWindow

_AT_WORK = "…"
_GATHER_MS: Final = 300
_MAX_NAMED: Final = 3
_MAX_NAME_LENGTH: Final = 60


class ChatBadge(QObject):
    """The number of open questions, else a sign that something is at work."""

    def __init__(self, window: MainWindow, chats: Chats, page: str) -> None:
        super().__init__(window)
        self._window, self._chats, self._page = window, chats, page
        bridge.connect(self, chats.changed, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        questions, running = self._chats.questions, self._chats.running
        if questions:
            words = self.tr("Calls that need approval: {count}").format(count=questions)
            self._window.rail.set_news(self._page, str(questions), words, "warning")
        elif running:
            words = self.tr("Running conversations: {count}").format(count=running)
            self._window.rail.set_news(self._page, _AT_WORK, words, "accent")
        else:
            self._window.rail.set_news(self._page, "", "", "accent")


class Notifications(QObject):
    """Where notifications are shown; this one shows none."""

    clicked = Signal()
    """The person wants to see what it is about."""

    def show(self, title: str, text: str) -> None:
        """Show this one in place of the one before."""

    def clear(self) -> None:
        """Nothing waits any more, or the person has come."""


class TrayNotifications(Notifications):
    """Those of the system tray; its icon is there only while something waits."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._icon: QSystemTrayIcon | None = None

    def show(self, title: str, text: str) -> None:
        QApplication.alert(self._window)  # also where there is no tray
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._icon is None:
            self._icon = QSystemTrayIcon(self._window.windowIcon(), self)
            self._icon.messageClicked.connect(self.clicked)
            self._icon.activated.connect(self.clicked)
        self._icon.setToolTip(title)
        self._icon.show()
        self._icon.showMessage(title, text, self._window.windowIcon())

    def clear(self) -> None:
        if self._icon is not None:
            self._icon.hide()


class ApprovalNotifier(QObject):
    """One for a window. Tells of calls that came while it was not in front, once each."""

    gathered = Signal()
    """The calls that came together are told of, or need not be."""

    def __init__(
        self,
        window: QWidget,
        chats: Chats,
        is_wanted: Callable[[], bool],
        come_forward: Callable[[], object],
        notifications: Notifications | None = None,
    ) -> None:
        """Make it.

        Args:
            window: whose being in front counts.
            chats: all of the window.
            is_wanted: whether the person wants notifications at all.
            come_forward: shows the chats in front of all else.
            notifications: where to show them; without, the system's.
        """
        super().__init__(window)
        self._window, self._chats, self._is_wanted = window, chats, is_wanted
        self.notifications: Notifications = notifications or TrayNotifications(window)
        self._told: set[str] = set()
        self._soon = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._soon.timeout.connect(self._tell)
        self.notifications.clicked.connect(come_forward)
        bridge.connect(self, chats.changed, self._note)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self._told.update(self._waiting())  # they are seen now
            self.notifications.clear()
        return super().eventFilter(watched, event)

    def _note(self) -> None:
        waiting = self._waiting()
        if not waiting:
            self._soon.stop()
            self._told.clear()
            self.notifications.clear()
        elif waiting.keys() - self._told and not self._soon.isActive():
            self._soon.start()

    def _tell(self) -> None:
        waiting = self._waiting()
        fresh = waiting.keys() - self._told
        self._told = set(waiting)
        if fresh and self._is_wanted() and not self._is_seen():
            self.notifications.show(self._title(len(waiting)), self._names(waiting))
        self.gathered.emit()

    def _is_seen(self) -> bool:
        return self._window.isActiveWindow() and not self._window.isMinimized()

    def _waiting(self) -> dict[str, str]:
        """The tool of each call that waits, by an id of its own."""
        return {
            f"{chat.id} {call.call_id}": call.key or call.name
            for chat in self._chats.chats
            for call in chat.entries.asking
        }

    def _title(self, count: int) -> str:
        if count == 1:
            return self.tr("A call needs your approval")
        return self.tr("{count} calls need your approval").format(count=count)

    def _names(self, waiting: dict[str, str]) -> str:
        names = [mark_hidden(name)[:_MAX_NAME_LENGTH] for name in dict.fromkeys(waiting.values())]
        return listed(names, most=_MAX_NAMED)
