"""`Chats`: all chats of the window, stored and open, and how many need the person.

There is one for the whole run: sessions go on while the page is not shown. Of what was looked at
some time ago only the row stays; the rest is read again when it is looked at. Must not import Qt.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.features.chat.gui.chat import Chat

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.chat.agent.session_info import ChatSettings
    from desktop.features.chat.agent.session_store import SessionSummary
    from desktop.features.chat.gui.interfaces import Providers, Sessions


KEPT_CHATS = 3
"""Chats that stay as they are, those that were looked at last. More do that work or wait."""


class Chats:
    """`chats` has the one used last first; `changed` tells of the list and of each chat in it."""

    def __init__(
        self,
        sessions: Sessions,
        providers: Providers,
        find_key: Callable[[str], str] = lambda _: "",
    ) -> None:
        """Reads nothing yet.

        Args:
            sessions: of the agent.
            providers: those of the config.
            find_key: as in `EntryList.load`.
        """
        self.sessions, self.providers, self._find_key = sessions, providers, find_key
        self.chats: list[Chat] = []
        self.changed: Signal[[]] = Signal()
        self._deleted: set[str] = set()
        """Ids that a list which is being read meanwhile may still have."""
        self._held: dict[Chat, None] = {}
        """Those that may have more than a row, the one looked at last at the end."""

    @property
    def running(self) -> int:
        """Conversations at work."""
        return sum(chat.is_busy for chat in self.chats)

    @property
    def questions(self) -> int:
        """Calls that wait for a person, in all conversations."""
        return sum(chat.questions for chat in self.chats)

    async def refresh(self) -> None:
        """Read the list of stored conversations. Raises `DesktopError`."""
        await asyncio.to_thread(import_module, "desktop.features.chat.agent.session_store")  # 6 ms
        stored = {summary.about.id: summary for summary in await self.sessions.store.list()}
        stored = {key: summary for key, summary in stored.items() if key not in self._deleted}
        known = {chat.id: chat for chat in self.chats if chat.id}
        gone = [chat for chat in self.chats if _is_gone(chat, stored)]
        fresh = [self._stored(summary) for key, summary in stored.items() if key not in known]
        self.chats = [chat for chat in self.chats if chat not in gone] + fresh
        for key, chat in known.items():
            if key in stored:
                chat.used, chat.problem = stored[key].used, stored[key].problem
        for chat in gone:
            self._held.pop(chat, None)
        self.changed.send()

    def new(self, setup: ChatSettings) -> Chat:
        """A conversation to be begun; it is in the list from its first question on."""
        chat = Chat(self.sessions, self.providers, setup)
        chat.changed.connect(self._note)
        return chat

    def look_at(self, chat: Chat) -> None:
        """Keep it; what was looked at before the last ones is let go of."""
        self._held.pop(chat, None)
        self._held[chat] = None
        self._let_go()

    async def load(self, chat: Chat) -> None:
        """Read what was said in a stored conversation, once. Raises `DesktopError`."""
        await chat.ended()
        if chat.is_read or chat.session is not None:
            return
        try:
            opened = await self.sessions.store.read(chat.id)
        except DesktopError as error:
            chat.fail_to_load(str(error))
            raise
        if not chat.is_read:
            chat.take_stored(opened, self._find_key)

    async def delete(self, chat: Chat) -> None:
        """End a conversation and remove what is stored of it. Raises `DesktopError`."""
        await chat.close()
        if chat.id:
            await self.sessions.store.delete(chat.id)
            self._deleted.add(chat.id)
        self.chats = [kept for kept in self.chats if kept is not chat]
        self._held.pop(chat, None)
        self.changed.send()

    async def close(self) -> None:
        """Close the clients of the providers; `AgentSessions` has ended the sessions before."""
        await asyncio.gather(*(chat.ended() for chat in self.chats))
        await asyncio.gather(*(chat.release() for chat in self.chats))

    def _stored(self, stored: SessionSummary) -> Chat:
        about = stored.about
        chat = Chat(self.sessions, self.providers, about.settings, stored=about.id)
        chat.title, chat.used, chat.problem = about.title, stored.used, stored.problem
        if chat.problem and not chat.title:
            chat.title = about.id
        chat.changed.connect(self._note)
        return chat

    def _note(self, chat: Chat) -> None:
        if chat.is_busy and chat not in self.chats:
            self.chats.insert(0, chat)
        if chat.session is not None and chat not in self._held:
            self._held = {chat: None, **self._held}  # nobody looked at it
        self._let_go()
        self.changed.send()

    def _let_go(self) -> None:
        for chat in tuple(self._held)[:-KEPT_CHATS]:
            if chat.can_be_let_go:
                del self._held[chat]
                chat.let_go()


def _is_gone(chat: Chat, stored: dict[str, SessionSummary]) -> bool:
    """Whether it was deleted elsewhere; one that is open or not written yet stays."""
    return bool(chat.id) and chat.id not in stored and chat.session is None and not chat.is_busy
