"""Hears from a server that a list or a resource has changed, in both generations of the protocol.

Up to 2025-11-25 a server tells everyone; since 2026-07-28 only those who listen, so a lost
subscription is opened again. A flood is one change: nothing here grows with what a server sends.
Must not read what has changed. Source: MCP specification, basic/utilities/subscriptions, and
server/{tools,resources,prompts}, "List Changed Notification".
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.servers.repair.oddities import report_oddity
from desktop.servers.sdk import MCPError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp import Client
    from mcp.client.session import IncomingMessage

    from desktop.base.tasks import TaskGroup

LISTEN_LIMIT = 1.0
"""Seconds until the list is read without a server's word that it will tell of changes."""
UPDATE_PAUSE = 0.05
"""Seconds in which the updates of one resource are one."""
MAX_UPDATED = 1_000
"""Resources that may have changed in one such pause; more are told as all that are subscribed."""
FIRST_PAUSE = 1.0
"""Seconds before a subscription that was lost is opened again; each further one waits twice."""
MAX_PAUSE = 60.0
MAX_REFUSALS = 5
"""Attempts in a row that a server may leave without a word before nobody listens any more."""

ListKind: TypeAlias = Literal["tools", "resources", "prompts"]
_KINDS: Final[dict[type[Any], ListKind]] = {
    types.ToolListChangedNotification: "tools",
    types.ResourceListChangedNotification: "resources",
    types.PromptListChangedNotification: "prompts",
}

logger = logging.getLogger(__name__)


class Changes(Struct, frozen=True):
    """What changed since the last time: whole lists, and resources by their URIs."""

    lists: frozenset[ListKind]
    resources: tuple[str, ...]


class ChangeWatcher:
    """What one session has heard of changes; many at once are one."""

    def __init__(self, tasks: TaskGroup) -> None:
        """Args: tasks: end with the session."""
        self._tasks = tasks
        self._news = asyncio.Event()
        self._lists: set[ListKind] = set()
        self._updated: dict[str, None] = {}
        self._subscribed: tuple[str, ...] = ()
        self._listening: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()

    async def next(self) -> Changes:
        """Wait for a change since the last one that was waited for."""
        await self._news.wait()
        if not self._lists:
            await asyncio.sleep(UPDATE_PAUSE)
        changes = Changes(frozenset(self._lists), tuple(self._updated))
        self._news.clear()
        self._lists.clear()
        self._updated.clear()
        return changes

    async def on_message(self, message: IncomingMessage) -> None:
        """Take a message of the server, in either generation."""
        if (kind := _KINDS.get(type(message))) is not None:
            self._lists.add(kind)
            self._news.set()
        elif isinstance(message, types.ResourceUpdatedNotification):
            self._note_update(message.params.uri)

    def _note_update(self, uri: str) -> None:
        if not self._subscribed:
            words = translatable("a resource without a subscription")
            report_oddity("notifications/resources/updated", words)
            return
        if len(self._updated) < MAX_UPDATED:
            self._updated[uri] = None
        else:
            self._updated |= dict.fromkeys(self._subscribed)
        self._news.set()

    async def hear(self, client: Client) -> None:
        """Listen, as since 2026-07-28 only listeners are told; called before the tools are read."""
        if "tools" in _announced(client):
            await self.listen(client)

    async def listen(self, client: Client, subscribed: Iterable[str] | None = None) -> bool:
        """Listen to all that the server announces, and to these resources; what was heard ends.

        Args:
            client: that of the session.
            subscribed: the URIs of all resources from now on; None for those of before.

        Returns:
            Whether the server agreed to tell of all of them; up to 2025-11-25 it is not asked here.
        """
        wanted = self._subscribed if subscribed is None else tuple(subscribed)
        self._subscribed = wanted
        if client.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return True
        async with self._opening:  # in their order: the last one knows of all the others
            if subscribed is None and self._listening is not None:
                return True
            return await self._open(client, wanted, has_limit=subscribed is None)

    async def _open(self, client: Client, wanted: tuple[str, ...], *, has_limit: bool) -> bool:
        heard: asyncio.Future[frozenset[str] | None] = asyncio.get_running_loop().create_future()
        listening = self._tasks.spawn(self._listen(client, wanted, heard), "listen")
        try:
            # Who subscribes has a limit of his own, and wants to know; a list is read all the same.
            async with asyncio.timeout(LISTEN_LIMIT if has_limit else None):
                honoured = await asyncio.shield(heard)
        except TimeoutError:
            honoured = frozenset[str]()
        except asyncio.CancelledError:
            listening.cancel()
            raise
        if honoured is None and self._listening is not None:
            return False  # that of before still tells of the rest
        before, self._listening = self._listening, listening
        if before is not None:  # not before this: a change in between would be missed
            before.cancel()
        return honoured is not None and honoured.issuperset(wanted)

    async def _listen(
        self,
        client: Client,
        subscribed: tuple[str, ...],
        heard: asyncio.Future[frozenset[str] | None],
    ) -> None:
        try:
            await self._keep_listening(client, subscribed, heard)
        finally:
            _settle(heard, None)

    async def _keep_listening(
        self,
        client: Client,
        subscribed: tuple[str, ...],
        heard: asyncio.Future[frozenset[str] | None],
    ) -> None:
        kinds = _announced(client)
        pause, refusals = FIRST_PAUSE, 0
        while refusals < MAX_REFUSALS and (kinds or subscribed):
            try:
                async with client.listen(
                    tools_list_changed="tools" in kinds,
                    resources_list_changed="resources" in kinds,
                    prompts_list_changed="prompts" in kinds,
                    resource_subscriptions=subscribed,
                ) as subscription:
                    honoured = subscription.honored
                    is_first = _settle(heard, frozenset(honoured.resource_subscriptions or ()))
                    if not honoured.model_fields_set:
                        return  # it agreed to nothing
                    refusals = 0
                    if not is_first:  # whatever changed meanwhile was told to nobody
                        self._all_changed(kinds, subscribed)
                    # The events themselves come by `on_message`, too.
                    async for _ in subscription:
                        pause = FIRST_PAUSE
            except Exception as error:  # noqa: BLE001 - a lost subscription is no lost connection
                logger.debug("no more change events: %r", error)
                if isinstance(error, MCPError) and error.code == types.METHOD_NOT_FOUND:
                    return
                refusals += 1
            _settle(heard, None)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)

    def _all_changed(self, kinds: Iterable[ListKind], uris: Iterable[str]) -> None:
        self._lists.update(kinds)
        self._updated |= dict.fromkeys(uris)
        self._news.set()


def _settle(heard: asyncio.Future[frozenset[str] | None], honoured: frozenset[str] | None) -> bool:
    """Say for which resources the server agreed, None where it refused; False if it was said."""
    if heard.done():
        return False
    heard.set_result(honoured)
    return True


def _announced(client: Client) -> frozenset[ListKind]:
    """The lists of whose changes a server says that it tells."""
    declared = client.server_capabilities
    kinds: dict[ListKind, Any] = {
        "tools": declared.tools,
        "resources": declared.resources,
        "prompts": declared.prompts,
    }
    return frozenset(kind for kind, what in kinds.items() if what and what.list_changed)
