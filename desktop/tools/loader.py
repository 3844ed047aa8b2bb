"""Brings the tools of connected servers to whoever calls them: once, or for as long as they change.

`load_mcp_tools` lists the tools of the shared servers once; `ToolsLoader` keeps a registry in step
with them. `load_direct_mcp_tools` starts the servers of one session, which `DirectConnections`
holds until the session ends. Must not decide which tools are offered: a connection has left out
those that are switched off.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from desktop.base.tasks import spawn
from desktop.servers.connection import ServerConnection
from desktop.tools.adapters import DirectMcpToolAdapter, McpToolAdapter, wrap_mcp_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from desktop.config.models import ServerConfig
    from desktop.servers.context import ConnectionContext
    from desktop.servers.service import McpService
    from desktop.tools.registry import ToolRegistry


LOAD_LIMIT = 35.0
"""Seconds for all servers together: a little more than one has for its start unless told."""


class LoadedTools(NamedTuple):
    """The tools that can be called, and why each other enabled server has none, by its name."""

    tools: list[McpToolAdapter]
    failed: dict[str, str]


async def load_mcp_tools(service: McpService, *, limit: float = LOAD_LIMIT) -> LoadedTools:
    """Connect the enabled servers and list their tools; one that fails or is late has none.

    A server that failed before is not tried again. Costs next to nothing once all are connected.

    Args:
        service: the servers.
        limit: seconds to wait for all of them together.
    """
    connecting = spawn(service.connect_all(), "load tools")
    try:
        await asyncio.wait({connecting}, timeout=limit)
    finally:
        connecting.cancel()
    enabled = [connection for connection in service.connections.values() if connection.is_enabled]
    tools = [wrap_mcp_tool(service, tool) for connection in enabled for tool in connection.tools]
    away = [server for server in enabled if not (server.is_connected or server.is_on_its_way_back)]
    states = {server.name: server.state for server in away}
    return LoadedTools(tools, {name: state.error or state.words for name, state in states.items()})


def register_mcp_tools(service: McpService, registry: ToolRegistry, server: str) -> int:
    """Replace the tools of one server in the registry; returns how many there are now."""
    connection = service.connections.get(server)
    tools = connection.tools if connection is not None else ()
    registry.set_server(server, (wrap_mcp_tool(service, tool) for tool in tools))
    return len(tools)


class ToolsLoader:
    """Keeps a registry in step with the service's servers, until closed."""

    def __init__(
        self, service: McpService, registry: ToolRegistry, without: Container[str] = ()
    ) -> None:
        """Start to follow the service.

        Args:
            service: whose tools to register.
            registry: where to.
            without: servers that are left out, because a session holds its own of the same name
                and their tools would have the same keys.
        """
        self._service = service
        self._registry = registry
        self._without = without
        self._ends: list[Callable[[], None]] = [
            service.tools_changed.connect(self._reload),
            service.servers_changed.connect(self._arrange),
        ]
        self._arrange()
        for name in service.connections:
            self._reload(name)

    def close(self) -> None:
        for end in self._ends:
            end()

    def _arrange(self) -> None:
        self._registry.arrange(self._service.connections)

    def _reload(self, server: str) -> None:
        if server not in self._without:
            register_mcp_tools(self._service, self._registry, server)


class DirectConnections:
    """The connections of one session's own servers. Whoever has it must `close` it.

    Their processes are known to the same `McpProcessTracker` as all others. Must not touch the
    `McpService`: its servers are shared, these are not.
    """

    def __init__(self, servers: Iterable[ServerConfig], context: ConnectionContext) -> None:
        """Starts nothing."""
        own = context.for_session()
        self._by_name = {config.name: ServerConnection(config, own) for config in servers}
        self._ends: list[Callable[[], None]] = []

    def __iter__(self) -> Iterator[ServerConnection]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def names(self) -> frozenset[str]:
        """The servers whose tools have wire names without the service's prefix."""
        return frozenset(self._by_name)

    @property
    def failed(self) -> dict[str, str]:
        """Why servers have no tools now: the error, by the name of the server."""
        states = {name: connection.state for name, connection in self._by_name.items()}
        return {name: state.error for name, state in states.items() if state.error}

    def tools(self) -> list[DirectMcpToolAdapter]:
        """The tools of all servers that are connected now."""
        return [tool for connection in self for tool in _wrap_tools(connection)]

    async def connect(self) -> None:
        """Start all servers, side by side; wait until each is connected or failed. Never raises."""
        await asyncio.gather(*(connection.connect() for connection in self))

    def follow(self, registry: ToolRegistry) -> None:
        """Keep the registry's tools of these servers those that can be called, until closed."""
        for connection in self:
            register = partial(_register, connection, registry)
            self._ends.append(connection.tools_changed.connect(register))
            register()

    def stop(self) -> None:
        """Begin to stop all servers, without waiting; their tools are gone at once."""
        for connection in self:
            connection.stop()

    async def close(self) -> None:
        """Stop all servers, side by side, with their processes. Never raises; idempotent."""
        self.stop()
        for end in self._ends:
            end()
        await asyncio.gather(*(connection.disconnect() for connection in self))


async def load_direct_mcp_tools(
    servers: Iterable[ServerConfig], context: ConnectionContext
) -> tuple[list[DirectMcpToolAdapter], DirectConnections]:
    """Start the servers of a session; returns their tools and the connections to close.

    One that fails leaves the others: the connections' `failed` says which and why. With no servers
    nothing is started. Being cancelled ends what was started.
    """
    connections = DirectConnections(servers, context)
    try:
        await connections.connect()
    except asyncio.CancelledError:
        await connections.close()
        raise
    return connections.tools(), connections


def _register(connection: ServerConnection, registry: ToolRegistry) -> None:
    registry.set_server(connection.name, _wrap_tools(connection))


def _wrap_tools(connection: ServerConnection) -> list[DirectMcpToolAdapter]:
    return [DirectMcpToolAdapter(connection, tool) for tool in connection.tools]
