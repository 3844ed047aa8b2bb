"""`McpService`: all user-configured servers, shared by the window, the terminal and every session.

One that fails never stops the others. Must not read the config file: it is told.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.errors import ServerError
from desktop.servers.connection import ServerConnection
from desktop.signals import Signal
from desktop.tasks import spawn
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop.config.models import ServerConfig
    from desktop.servers.context import Surroundings
    from desktop.tool_types import JsonObject, Progress, ToolResult


@dataclass(frozen=True, slots=True)
class Stats:
    """How many servers there are, how many are enabled and connected, and their tools."""

    total: int
    enabled: int
    connected: int
    tools: int


class McpService:
    """Holds the connections by name, in the order of the config."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._connections: dict[str, ServerConnection] = {}
        self._leaving: dict[ServerConnection, asyncio.Task[None]] = {}
        self.servers_changed: Signal[[]] = Signal()
        self.state_changed: Signal[[str]] = Signal()
        self.tools_changed: Signal[[str]] = Signal()

    @property
    def connections(self) -> Mapping[str, ServerConnection]:
        return self._connections

    def connection(self, name: str) -> ServerConnection:
        """The connection of a server.

        Raises:
            ServerError: there is no server of this name.
        """
        try:
            return self._connections[name]
        except KeyError:
            known = ", ".join(self._connections) or "none"
            raise ServerError(
                name,
                translatable("There is no server named {name!r}.", name=name),
                remedy=translatable("Configured: {known}.", known=known),
            ) from None

    def add_server(self, config: ServerConfig) -> ServerConnection:
        """Take a server in, without starting it.

        Raises:
            ServerError: there is one of this name.
        """
        if config.name in self._connections:
            raise ServerError(
                config.name,
                translatable("There already is a server named {name!r}.", name=config.name),
            )
        connection = ServerConnection(config, self._surroundings)
        name = config.name
        connection.state_changed.connect(lambda: self.state_changed.send(name))
        connection.tools_changed.connect(lambda: self.tools_changed.send(name))
        self._connections[name] = connection
        self.servers_changed.send()
        return connection

    async def remove_server(self, name: str) -> None:
        """Take a server out: it ends, its tools go at once.

        Raises:
            ServerError: there is no server of this name.
        """
        connection = self.connection(name)
        del self._connections[name]
        leaving = self._leave(connection)
        self.servers_changed.send()
        await asyncio.shield(leaving)

    def start(self, name: str) -> None:
        """Begin to connect one server, without waiting."""
        self.connection(name).start()

    def restart(self, name: str) -> None:
        """End one server and connect it again, without waiting."""
        self.connection(name).start_anew()

    async def connect_all(self) -> None:
        """Start every enabled server and wait until each is connected or failed."""
        enabled = [one for one in self._connections.values() if one.is_enabled]
        await asyncio.gather(*(one.connect() for one in enabled))

    def stop_all(self) -> None:
        """Begin to end every server, without waiting."""
        for connection in self._connections.values():
            connection.stop()

    async def disconnect_all(self) -> None:
        """End every server, side by side; those that were taken out just now, too."""
        self.stop_all()
        everyone = [*self._connections.values(), *self._leaving]
        await asyncio.gather(*(one.disconnect() for one in everyone))
        if self._leaving:
            await asyncio.wait(set(self._leaving.values()))

    def apply(self, configs: Iterable[ServerConfig]) -> None:
        """Make the servers those of `configs`, in their order: start, end, replace what differs."""
        wanted = {config.name: config for config in configs}
        for name in [name for name in self._connections if name not in wanted]:
            self._leave(self._connections.pop(name))
        for name, config in wanted.items():
            self._apply_one(name, config)
        self._connections = {name: self._connections[name] for name in wanted}
        self.servers_changed.send()

    def get_stats(self) -> Stats:
        """Counts for the status line."""
        connections = self._connections.values()
        return Stats(
            total=len(connections),
            enabled=sum(one.is_enabled for one in connections),
            connected=sum(one.is_connected for one in connections),
            tools=sum(len(one.tools) for one in connections),
        )

    def get_connected_servers(self) -> list[str]:
        """Names of the servers that can be called now."""
        return [name for name, one in self._connections.items() if one.is_connected]

    async def call_tool(
        self,
        server: str,
        tool: str,
        arguments: JsonObject,
        *,
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run a tool of a server; every failure of the call is a result.

        Raises:
            ServerError: there is no server of this name.
        """
        connection = self.connection(server)
        return await connection.call_tool(tool, arguments, timeout=timeout, on_progress=on_progress)

    def _apply_one(self, name: str, config: ServerConfig) -> None:
        connection = self._connections.get(name)
        if connection is None:
            connection = self.add_server(config)
            if config.enabled:
                connection.start()
            return
        before = connection.config
        connection.reconfigure(config)
        if _must_reconnect(before, config):
            (connection.start_anew if config.enabled else connection.stop)()
        elif config.enabled and connection.state.phase == "stopped":
            connection.start()

    def _leave(self, connection: ServerConnection) -> asyncio.Task[None]:
        connection.stop()
        task = spawn(connection.disconnect(), f"remove {connection.name}")
        self._leaving[connection] = task
        task.add_done_callback(lambda _: self._leaving.pop(connection, None))
        return task


def _must_reconnect(before: ServerConfig, after: ServerConfig) -> bool:
    """Whether the change is one that a running session cannot take over."""
    live = {name: getattr(after, name) for name in ("timeout", "disabled_tools", "tool_rules")}
    return before.model_copy(update=live) != after
