"""A list of one server that is read once somebody asks for it, and kept up to date from then on.

One asker reads at a time; the others wait for the same answer. Must not know what is listed.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop.servers.calls import request_failed
from desktop.values.tool_types import ToolError

if TYPE_CHECKING:
    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.servers.calls import Requester

Found = TypeVar("Found")


class KeptList(ABC, Generic[Found]):
    """What prompts and resources have in common; a subclass reads and keeps what was found."""

    def __init__(self, server: Requester) -> None:
        """Args: server: by which everything is sent."""
        self._server = server
        self.was_asked_for = False
        """Whether somebody asked for the list, so that it is kept up to date."""
        self.was_listed = False
        """Whether what is listed was read, and not only asked for."""
        self._reading = asyncio.Lock()

    @property
    @abstractmethod
    def _subject(self) -> str:
        """What is read of which server, for errors."""

    @abstractmethod
    async def _read_list(self, client: Client, on_progress: ProgressFnT) -> Found:
        """Ask the server."""

    @abstractmethod
    def _set(self, found: Found) -> None:
        """Keep what was found, and tell of it where it is another list than before."""

    async def read_now(self) -> None:
        """Ask for the list; a server that has none is not asked.

        Raises:
            ServerError: it could not be read; that of before stays.
        """
        async with self._reading:
            await self._read()

    async def list_once(self) -> None:
        """Ask where nothing was read yet; who asks at the same time waits for the same answer.

        Raises:
            ServerError: nothing could be read.
        """
        async with self._reading:
            if not self.was_listed:
                await self._read()

    async def read_again(self) -> None:
        """Read the list because it has changed, if anybody ever wanted it.

        Raises:
            ServerError: it could not be read.
        """
        if self.was_asked_for:
            await self.read_now()

    async def _read(self) -> None:
        self.was_asked_for = True
        found = await self._server.request(self._subject, self._read_list)
        if isinstance(found, ToolError):
            raise request_failed(self._server.name, found)
        self.was_listed = True
        self._set(found)
