"""Notices that a server's list of tools changed, in both generations of the protocol.

Source: MCP specification, server/tools, "List Changed Notification". Must not read the list.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.session import IncomingMessage

    from desktop.tasks import TaskGroup

LISTEN_LIMIT = 1.0
"""Seconds until the list is read without a server's word that it will tell of changes."""

logger = logging.getLogger(__name__)


class ToolListWatcher:
    """What one session has heard of changes; many at once are one."""

    def __init__(self, tasks: TaskGroup) -> None:
        """Args: tasks: end with the session."""
        self._tasks = tasks
        self._stale = asyncio.Event()

    async def next(self) -> None:
        """Wait for a change since the last one that was waited for."""
        await self._stale.wait()
        self._stale.clear()

    async def on_message(self, message: IncomingMessage) -> None:
        """Take a message of the server; up to 2025-11-25 it tells everyone."""
        if isinstance(message, types.ToolListChangedNotification):
            self._stale.set()

    async def hear(self, client: Client) -> None:
        """Listen, as since 2026-07-28 only listeners are told; called before the list is read."""
        tools = client.server_capabilities.tools
        modern = client.protocol_version in MODERN_PROTOCOL_VERSIONS
        if modern and tools is not None and tools.list_changed:
            heard = asyncio.Event()
            self._tasks.spawn(self._listen(client, heard), "listen")
            with anyio.move_on_after(LISTEN_LIMIT):
                await heard.wait()

    async def _listen(self, client: Client, heard: asyncio.Event) -> None:
        try:
            async with client.listen(tools_list_changed=True) as subscription:
                heard.set()
                async for _ in subscription:
                    self._stale.set()
        except Exception as error:  # noqa: BLE001 - a lost subscription is not a lost connection
            logger.debug("no more change events: %r", error)
        finally:
            heard.set()
