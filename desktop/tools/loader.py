"""Keeps a `ToolRegistry` in step with the servers of a `McpService`, and lists its tools once.

Must not decide which tools are offered: a connection has left out the switched-off ones already.

The servers that one session starts for itself: together at its start, gone at its end.

Their processes are known to the same `McpProcessTracker` as all others. Must not touch the
`McpService`: its servers are shared, these are not.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from desktop.servers.connection import ServerConnection
from desktop.tasks import TaskGroup
from desktop.tools.adapters import DirectMcpToolAdapter, McpToolAdapter, wrap_mcp_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from desktop.config.models import ServerConfig
    from desktop.servers.context import Surroundings
    from desktop.servers.service import McpService
    from desktop.tools.registry import ToolRegistry


class DirectConnections:
    """The connections of one session, by the name of the server. Whoever has it must `close` it."""

    def __init__(self, servers: Iterable[ServerConfig], surroundings: Surroundings) -> None:
        """Starts nothing. No early process and no log file: those are the service's."""
        own = replace(surroundings, early=None, logs=None)
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
        """What went wrong, by the name of each server that is not there now because of it."""
        states = {name: one.state for name, one in self._by_name.items()}
        return {name: state.error for name, state in states.items() if state.error}

    def tools(self) -> list[DirectMcpToolAdapter]:
        """The tools of all servers that are connected now."""
        return [tool for one in self for tool in _tools(one)]

    async def connect(self) -> None:
        """Start all, side by side, and wait until each is connected or failed. Never raises."""
        await asyncio.gather(*(one.connect() for one in self))

    def follow(self, registry: ToolRegistry) -> None:
        """Keep the registry's tools of these servers those that can be called, until closed."""
        for one in self:
            self._ends.append(one.tools_changed.connect(lambda one=one: _register(one, registry)))
            _register(one, registry)

    def stop(self) -> None:
        """Begin to end all, without waiting; their tools are gone at once."""
        for one in self:
            one.stop()

    async def close(self) -> None:
        """End all, side by side, with everything below them. Never raises; idempotent."""
        self.stop()
        for end in self._ends:
            end()
        await asyncio.gather(*(one.disconnect() for one in self))


async def load_direct_mcp_tools(
    servers: Iterable[ServerConfig], surroundings: Surroundings
) -> tuple[list[DirectMcpToolAdapter], DirectConnections]:
    """Start the servers of a session; returns their tools and the connections to close.

    One that fails leaves the others: the connections' `failed` says which and why. With no servers
    nothing is started. Being cancelled ends what was started.
    """
    connections = DirectConnections(servers, surroundings)
    try:
        await connections.connect()
    except asyncio.CancelledError:
        await connections.close()
        raise
    return connections.tools(), connections


def _register(connection: ServerConnection, registry: ToolRegistry) -> None:
    registry.set_server(connection.name, _tools(connection))


def _tools(connection: ServerConnection) -> list[DirectMcpToolAdapter]:
    return [DirectMcpToolAdapter(connection, tool) for tool in connection.tools]


LOAD_LIMIT = 35.0
"""Seconds for all servers together: a little more than one has for its start unless told."""


class LoadedTools(NamedTuple):
    """The tools that can be called, and why each other enabled server has none: `{name: words}`."""

    tools: list[McpToolAdapter]
    failed: dict[str, str]


async def load_mcp_tools(service: McpService, *, limit: float = LOAD_LIMIT) -> LoadedTools:
    """The tools of all enabled servers; one that fails or is late leaves the others.

    Starts what was not started yet and waits, `limit` seconds at most, for what is on its way. One
    that failed is not tried again: that is a person's to do. Costs next to nothing once all are
    there, so it can be asked before each request to a model.
    """
    enabled = [one for one in service.connections.values() if one.is_enabled]
    for one in enabled:
        if one.state.phase == "stopped":
            one.start()
    await _settle(enabled, limit)
    tools = [wrap_mcp_tool(service, tool) for one in enabled for tool in one.tools]
    missing = [one for one in enabled if not one.is_connected]
    return LoadedTools(tools, {one.name: one.state.error or one.state.words for one in missing})


def register_mcp_tools(service: McpService, registry: ToolRegistry, server: str) -> int:
    """Put the tools of one server into the registry, and take out what it had; returns how many."""
    connection = service.connections.get(server)
    tools = connection.tools if connection is not None else ()
    registry.set_server(server, (wrap_mcp_tool(service, tool) for tool in tools))
    return len(tools)


class ToolsLoader:
    """Follows the service for as long as it is not closed."""

    def __init__(
        self, service: McpService, registry: ToolRegistry, without: Container[str] = ()
    ) -> None:
        """Args: without: names of servers that are not the service's in this registry.

        A session holds them itself, and their tools would have the same keys.
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


async def _settle(connections: list[ServerConnection], limit: float) -> None:
    late = [one for one in connections if one.state.phase == "starting"]
    if not late:
        return
    group = TaskGroup("load tools")
    waiting = {group.spawn(one.settle(), one.name) for one in late}
    try:
        await asyncio.wait(waiting, timeout=limit)
    finally:
        await group.close()
