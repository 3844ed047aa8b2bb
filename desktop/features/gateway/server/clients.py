"""The clients that are connected to the gateway: what each is offered, and told of when it changes.

A burst of changes is one message to a client, and none where what it is offered is the same. Must
not know what a tool is.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from msgspec import Struct, field

from desktop.base.signals import Signal
from desktop.base.tasks import TaskGroup
from desktop.features.gateway.server.sdk import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from desktop.patches import sdk as patches

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Hashable

    from mcp_types import LoggingLevel

    from desktop.config.gateway import GatewaySettings
    from desktop.features.gateway.server.sdk import ServerRequestContext, ServerSession

logger = logging.getLogger(__name__)

Kind: TypeAlias = Literal["tools", "resources", "prompts"]
PAUSE: Final = 0.05
"""Seconds in which changes are gathered: servers that start come one after the other."""
_EVENTS: Final = {
    "tools": ToolsListChanged,
    "resources": ResourcesListChanged,
    "prompts": PromptsListChanged,
}


class ConnectedClient(Struct, eq=False):
    """A client that has introduced itself, as long as its connection is open."""

    name: str
    session: ServerSession
    told: dict[Kind, object] = field(default_factory=dict[Kind, object])
    """What it was offered when it last heard of it."""
    uris: set[str] = field(default_factory=set[str])
    """The resources that it follows."""
    log_level: LoggingLevel = "warning"
    """The least important log messages that it wants."""
    logs_waiting: int = 0
    """Log messages that are being sent to it."""
    http_session: str | None = None
    """What its requests are marked with; None where its connection is not over HTTP."""


class Clients:
    """All that are connected; later eras have no connection, and listen to `bus`."""

    def __init__(self, settings: Callable[[], GatewaySettings], named: str = "") -> None:
        """Args: named: what the entry in the client's file calls it; empty where none does."""
        self.bus = InMemorySubscriptionBus()
        self.changed: Signal[[]] = Signal()
        """A client came or went."""
        self.wanted: set[Kind] = set()
        """The lists that any client has asked for."""
        self.are_many = False
        """Whether others may come beside the first one."""
        self._settings = settings
        self._named = named
        self._connected: dict[int, ConnectedClient] = {}
        self._tasks = TaskGroup("gateway")
        self._waiting: set[Kind] = set()
        self._offered: dict[Kind, Callable[[Collection[str] | None], object]] = {}

    def __len__(self) -> int:
        return len(self._connected)

    @property
    def names(self) -> list[str]:
        return [client.name for client in self._connected.values()]

    @property
    def by_http_session(self) -> dict[str | None, str]:
        """The names of clients over HTTP, by their sessions."""
        return {client.http_session: client.name for client in self._connected.values()}

    def servers_of(self, context: ServerRequestContext[Any, Any]) -> tuple[str, ...] | None:
        """The servers that the client of a request is offered; None for all."""
        return self._servers_for(name_of(context.session))

    def identity(self, context: ServerRequestContext[Any, Any]) -> Hashable:
        """The same for all requests of one client, as far as that can be known."""
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return id(self), name_of(context.session)
        return id(_connection_of(context.session))

    def surely_one(self, context: ServerRequestContext[Any, Any]) -> Hashable:
        """The same for requests only where it is known that they are of one client.

        Over HTTP, a later client has no connection, and two of one name cannot be told apart.
        """
        if self.are_many and context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return object()
        return self.identity(context)

    def title_of(self, context: ServerRequestContext[Any, Any]) -> str:
        """What a client is called for a person."""
        return self._named or name_of(context.session)

    async def join(self, context: ServerRequestContext[Any, Any], _: object) -> None:
        """A client is ready to be told of changes, until its connection ends."""
        connection = _connection_of(context.session)
        client = ConnectedClient(
            name_of(context.session), context.session, http_session=connection.session_id
        )
        self._connected[id(connection)] = client
        connection.exit_stack.callback(self._leave, id(connection))
        logger.info("client %.60r of the gateway connected", client.name)
        self.changed.send()

    def find(self, context: ServerRequestContext[Any, Any]) -> ConnectedClient | None:
        return self._connected.get(id(_connection_of(context.session)))

    def offered(self, server: str) -> list[ConnectedClient]:
        """Those that are offered this server."""
        found: list[ConnectedClient] = []
        for client in self._connected.values():
            servers = self._servers_for(client.name)
            if servers is None or server in servers:
                found.append(client)
        return found

    def servers_of_named(self) -> tuple[str, ...] | None:
        """The servers of the client as its entry calls it, before it has said a word."""
        return self._servers_for("") if self._named else None

    def follow(self, kind: Kind, offered: Callable[[Collection[str] | None], object]) -> None:
        """Args: offered: what of a kind a selection of servers offers, to be compared."""
        self._offered[kind] = offered

    def note_offer(self, context: ServerRequestContext[Any, Any], kind: Kind) -> None:
        """A client is being given its list: from now on it hears of other ones."""
        self.wanted.add(kind)
        if (client := self.find(context)) is not None:
            client.told[kind] = self._offer(client, kind)

    def tell(self, kind: Kind) -> None:
        """Tell those whose list is another one by now, in a moment."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(PAUSE, self._tell_gathered)
        self._waiting.add(kind)

    def tell_update(self, uri: str) -> None:
        """Tell those that follow a resource that it is another one now."""
        for client in self._connected.values():
            if uri in client.uris:
                self.run(client.session.send_resource_updated(uri))
        self.run(self.bus.publish(ResourceUpdated(uri=uri)))

    def run(self, sending: Awaitable[None]) -> None:
        async def send() -> None:
            try:
                await sending
            except Exception as error:  # noqa: BLE001 - the boundary to the SDK: it has gone
                logger.info("a client could not be told of a change: %r", error)

        self._tasks.spawn(send(), "tell a client")

    async def close(self) -> None:
        self._offered.clear()
        await self._tasks.close()

    def _tell_gathered(self) -> None:
        kinds, self._waiting = self._waiting, set()
        for kind in sorted(kinds & self._offered.keys()):
            for client in self._connected.values():
                offer = self._offer(client, kind)
                # One that never asked is not waiting for news; the first list will have it.
                if kind in client.told and client.told[kind] != offer:
                    client.told[kind] = offer
                    self.run(_tell(client.session, kind))
            self.run(self.bus.publish(_EVENTS[kind]()))

    def _offer(self, client: ConnectedClient, kind: Kind) -> object:
        return self._offered[kind](self._servers_for(client.name))

    def _servers_for(self, name: str) -> tuple[str, ...] | None:
        return self._settings().servers_for(*filter(None, (self._named, name)))

    def _leave(self, number: int) -> None:
        client = self._connected.pop(number, None)
        if client is not None:
            logger.info("client %.60r of the gateway left", client.name)
            self.changed.send()


def name_of(session: ServerSession) -> str:
    """The name that a client gives itself; empty where it gives none."""
    params = session.client_params
    return params.client_info.name if params is not None else ""


async def _tell(session: ServerSession, kind: Kind) -> None:
    match kind:
        case "tools":
            await session.send_tool_list_changed()
        case "resources":
            await session.send_resource_list_changed()
        case "prompts":
            await session.send_prompt_list_changed()


def _connection_of(session: ServerSession) -> Any:
    return patches.connection_of(session)
