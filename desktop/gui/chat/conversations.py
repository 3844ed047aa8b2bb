"""Puts the conversations of a window together: providers, desk, page, and the sign on the rail.

The only place of this folder that knows the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.chat.desk import Chats
from desktop.gui.chat.providers import ModelProviders
from desktop.gui.chat.rail_news import ChatBadge
from desktop.gui.servers.builtin_words import description_words
from desktop.llm.keys import Keys

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.chat.chat_page import ChatPage
    from desktop.gui.main_window import MainWindow


class ChatFeature:
    """One for a window, for its whole run."""

    def __init__(self, window: MainWindow, core: Core, page: str) -> None:
        """Args: page: the id of the page in the rail."""
        self._window, self._core = window, core
        self.providers = ModelProviders(core.store, Keys())
        self.desk = Chats(core.sessions, self.providers)
        ChatBadge(window, self.desk, page)

    def make_page(self) -> ChatPage:
        """The page; it shows the desk and may come and go."""
        from PySide6.QtCore import QSettings

        from desktop.gui.chat.chat_page import ChatPage

        settings = QSettings(str(self._core.paths.window_state), QSettings.Format.IniFormat)
        return ChatPage(
            self._window.theme,
            self.desk,
            self._core.registry,
            self._builtins,
            settings,
            configured=self._configured,
        )

    async def close(self) -> None:
        """End all conversations, and the connections to the providers."""
        await self.desk.close()

    def _configured(self, name: str) -> tuple[str, ...]:
        """What a conversation starts it with, where a person chose nothing else."""
        own = self._core.store.servers.get(name)
        return tuple(own.args) if own is not None and own.builtin == name else ()

    def _builtins(self) -> dict[str, str]:
        servers = self._core.store.servers.values()
        return {one.name: description_words(one.name) for one in servers if one.source == "builtin"}
