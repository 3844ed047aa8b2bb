"""The servers that one session starts for itself: together at its start, gone at its end.

Their processes are known to the same `McpProcessTracker` as all others. Must not touch the
`McpService`: its servers are shared, these are not.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.servers.connection import ServerConnection
from desktop.tools.direct_adapter import DirectMcpToolAdapter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop.config.models import ServerConfig
    from desktop.servers.context import Surroundings
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
