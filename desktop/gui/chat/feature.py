"""Puts the chats of a window together: providers, chats, page, and the badge on the rail.

The badge shows that a chat is running or needs an approval, also while another page is open. The
only module of this folder that knows the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from builtin_servers.catalog import CATALOG
from desktop.base.visible_text import mark_hidden
from desktop.bootstrap import session_servers
from desktop.gui import bridge
from desktop.gui.chat.chats import Chats
from desktop.gui.chat.drafts import ChatPreferences
from desktop.gui.chat.providers import ModelProviders
from desktop.gui.servers.labels import description_label, target_label
from desktop.gui.translations import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.chat.chat_view import ChatCompanion
    from desktop.gui.chat.page import ChatPage
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


class ChatFeature:
    """One for a window, for its whole run."""

    def __init__(self, window: MainWindow, core: Core, page: str) -> None:
        """Args: page: the id of the page in the rail."""
        self._window, self._core = window, core
        self.providers = ModelProviders(core.store, core.keys, core.learned)
        self.chats = Chats(core.sessions, self.providers, self._find_key)
        ChatBadge(window, self.chats, page)
        ApprovalNotifier(
            window, self.chats, lambda: core.store.settings.notify, lambda: self._show(page)
        )

    def make_page(self, companion_of: ChatCompanion | None = None) -> ChatPage:
        """The page; it shows the desk and may come and go. Args: companion_of: as in `ChatView`."""
        from desktop.gui.chat.page import ChatPage

        return ChatPage(
            self._window.theme,
            self.chats,
            self._core.registry,
            self._builtins,
            self._window.state.settings,
            configured=self._configured,
            companion_of=companion_of,
        )

    @property
    def last_model(self) -> tuple[str, str]:
        """Provider and model of the conversation begun last."""
        setup = ChatPreferences(self._window.state.settings).setup
        return setup.provider, setup.model

    async def close(self) -> None:
        """Close the clients of the providers, after the sessions have ended."""
        await self.chats.close()

    def _configured(self, name: str) -> tuple[str, ...]:
        """What a conversation starts it with, where a person chose nothing else."""
        own = self._core.store.servers.get(name)
        return tuple(own.args) if own is not None and own.builtin == name else ()

    def _show(self, page: str) -> None:
        self._window.show_page(page)
        self._window.come_to_front()

    def _find_key(self, wire_name: str) -> str:
        """The tool that a name stands for now: conversations of earlier versions lack its key."""
        from desktop.tools.wire_names import WireNames

        tools = [tool.definition for tool in self._core.registry.all()]
        found = WireNames((tool.server, tool.name) for tool in tools).find(wire_name)
        return ":".join(found) if found is not None else ""

    def _builtins(self) -> dict[str, str]:
        """What a conversation can have for itself: the built-in servers, then the person's own."""
        store = self._core.store
        return {
            name: description_label(name) if name in CATALOG else target_label(store.servers[name])
            for name in session_servers(store)
            if name in store.servers
        }


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
