"""Puts the chats of a window together: providers, chats, page, and the badge on the rail.

The badge shows that a chat is running or needs an approval, also while another page is open. The
only module of this folder that knows the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from builtin_servers.catalog import CATALOG
from desktop.bootstrap import session_servers
from desktop.gui import bridge
from desktop.gui.chat.approval_notifier import ApprovalNotifier
from desktop.gui.chat.chats import Chats
from desktop.gui.chat.drafts import ChatPreferences
from desktop.gui.chat.providers import ModelProviders
from desktop.gui.servers.labels import description_label, target_label

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.chat.chat_view import ChatCompanion
    from desktop.gui.chat.page import ChatPage
    from desktop.gui.main_window import MainWindow

_AT_WORK = "…"


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
        self.providers = ModelProviders(core.store, core.keys)
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
