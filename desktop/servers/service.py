"""`McpService`: all user-configured servers, shared by the window, the terminal and every session.

A failing server never stops the others. Must not read the config file: `apply` gets the configs.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop.base.errors import ConfigError, ServerError
from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.servers.connection import ServerConnection
from desktop.servers.state import Challenge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop.config.models import ServerConfig
    from desktop.servers.context import ConnectionContext
    from desktop.servers.oauth.auth import SignIns
    from desktop.servers.oauth.browser import Browser
    from desktop.servers.oauth.credentials import Credentials
    from desktop.servers.oauth.device import DeviceCode
    from desktop.servers.oauth.steps import SignInStep
    from desktop.servers.server_log import LogMessage
    from desktop.values.prompt_types import PromptResult
    from desktop.values.resource_types import ReadResult


class Stats(Struct, frozen=True):
    """How many servers there are, how many are enabled and connected, and their tools."""

    total: int
    enabled: int
    connected: int
    tools: int


AWAY_LIMIT = 8.0
"""Seconds that a call waits for a server that is being started again."""
MAX_AWAY_LENGTH = 300
"""Characters of why a server is not there."""


class McpService:
    """Holds the connections by name, in the order of the config.

    `servers_changed`: a server was added or removed, or their order changed. The other signals
    carry the name of the server; `resource_updated` the URI as well, `log_received` the message,
    `resource_read` and `prompt_filled` what was asked for and what came of it.
    """

    def __init__(self, context: ConnectionContext) -> None:
        self._context = context
        self._connections: dict[str, ServerConnection] = {}
        self._leaving: dict[ServerConnection, asyncio.Task[None]] = {}
        self.servers_changed: Signal[[]] = Signal()
        self.state_changed: Signal[[str]] = Signal()
        self.tools_changed: Signal[[str]] = Signal()
        self.resources_changed: Signal[[str]] = Signal()
        self.resource_read: Signal[[str, str, ReadResult]] = Signal()
        self.resource_updated: Signal[[str, str]] = Signal()
        self.prompts_changed: Signal[[str]] = Signal()
        self.prompt_filled: Signal[[str, str, Mapping[str, str], PromptResult]] = Signal()
        self.log_received: Signal[[str, LogMessage]] = Signal()

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
                translatable("No server is named {name!r}.", name=name),
                remedy=translatable("Configured: {known}.", known=known),
            ) from None

    def add_server(self, config: ServerConfig) -> ServerConnection:
        """Add a server without starting it.

        Raises:
            ServerError: there is one of this name.
        """
        if config.name in self._connections:
            raise ServerError(
                config.name,
                translatable("A server named {name!r} already exists.", name=config.name),
            )
        connection = self._add(config)
        self.servers_changed.send()
        return connection

    async def remove_server(self, name: str) -> None:
        """Stop a server and remove it; its tools are gone at once.

        Raises:
            ServerError: there is no server of this name.
        """
        leaving = self._remove(self.connection(name))
        self.servers_changed.send()
        await asyncio.shield(leaving)

    def start(self, name: str) -> None:
        """Begin to connect one server, without waiting."""
        self.connection(name).start()

    def restart(self, name: str) -> None:
        """End one server and connect it again, without waiting."""
        self.connection(name).start_anew()

    async def connect_all(self) -> None:
        """Start every enabled server that is stopped; wait until each is connected or failed.

        A server that failed before is not tried again: that is for a person to decide. The limits
        of the servers bound the wait.
        """
        enabled = [connection for connection in self._connections.values() if connection.is_enabled]
        for connection in enabled:
            if connection.state.phase in {"stopped", "untrusted"}:
                connection.start()
        await asyncio.gather(*(connection.settle() for connection in enabled))

    async def wants_sign_in(self, name: str) -> bool:
        """Whether a server refused somebody, now or before, or asks everybody to sign in.

        Raises `ConfigError`: its configuration lacks a variable.
        """
        connection = self.connection(name)
        if connection.state.challenge is not None or not connection.is_connected:
            return connection.state.challenge is not None
        config = self._context.launcher.expanded(connection.config)
        return await self._context.sign_ins().wanted(config) is not None

    async def sign_in(
        self,
        name: str,
        browser: Browser | None = None,
        *,
        show: Callable[[str], object] | None = None,
        stepped: Callable[[SignInStep], None] = lambda _: None,
        as_another: bool = False,
        device: Callable[[DeviceCode], object] | None = None,
    ) -> Credentials:
        """Have a person sign in to a server, then connect it with what that brought.

        Args:
            name: of a server at a URL.
            browser: used in place of the system's, with a page of its own.
            show: opens an address for the person; by itself the system's browser.
            stepped: called with each step as it ends.
            as_another: the page is to ask who they are, also where it knows them.
            device: tells the person the code to type in elsewhere, in place of any browser.

        Raises:
            ConfigError: its configuration lacks a variable.
            SignInError: nobody is signed in; what was before stays.
        """
        connection = self.connection(name)
        await self._context.launcher.load_secrets(connection.config)
        config = self._context.launcher.expanded(connection.config)
        sign_ins = self._context.sign_ins()
        challenge = connection.state.challenge or await sign_ins.wanted(config) or Challenge()
        brought = await sign_ins.sign_in(
            config,
            challenge,
            browser,
            show=show,
            stepped=stepped,
            as_another=as_another,
            device=device,
        )
        self.restart(name)
        return brought

    async def sign_out(self, name: str) -> bool:
        """Forget the sign-in of a server, also of one that was removed, and have it revoked.

        Returns: whether it was revoked.

        Raises:
            KeyringError: the keyring still has it.
        """
        connection = self._connections.get(name)
        config = None
        if connection is not None:
            with suppress(ConfigError):  # one that lacks a variable is signed out all the same
                config = self._context.launcher.expanded(connection.config)
        leaving = [task for left, task in self._leaving.items() if left.name == name]
        if connection is not None:
            leaving.append(spawn(connection.disconnect(), f"disconnect {name}"))
        if leaving:  # with the farewell, which needs the token
            await asyncio.wait(leaving)
        try:
            return await self._context.sign_ins().sign_out(name, config)
        finally:
            if connection is not None and connection.is_enabled:
                connection.start()

    @property
    def sign_ins(self) -> SignIns:
        """Who is signed in where."""
        return self._context.sign_ins()

    def stop_all(self) -> None:
        """Begin to stop every server, without waiting."""
        for connection in self._connections.values():
            connection.stop()

    async def disconnect_all(self) -> None:
        """Stop every server, side by side, and wait; those that are being removed, too."""
        self.stop_all()
        connections = [*self._connections.values(), *self._leaving]
        await asyncio.gather(*(connection.disconnect() for connection in connections))
        if self._leaving:
            await asyncio.wait(set(self._leaving.values()))

    def apply(self, configs: Iterable[ServerConfig]) -> None:
        """Make the servers those of `configs`, in their order; start and stop what that needs."""
        wanted = {config.name: config for config in configs}
        before = list(self._connections)
        for connection in list(self._connections.values()):
            if connection.name not in wanted:
                self._remove(connection)
        added = [self._add(config) for name, config in wanted.items() if name not in before]
        self._connections = {name: self._connections[name] for name in wanted}
        if list(self._connections) != before:
            self.servers_changed.send()
        for connection in added:
            if connection.is_enabled:
                connection.start()
        for name in before:
            if name in wanted:
                _apply_config(self._connections[name], wanted[name])

    def get_stats(self) -> Stats:
        """Counts for the status line."""
        connections = self._connections.values()
        return Stats(
            total=len(connections),
            enabled=sum(connection.is_enabled for connection in connections),
            connected=sum(connection.is_connected for connection in connections),
            tools=sum(len(connection.tools) for connection in connections),
        )

    def get_connected_servers(self) -> list[str]:
        """Names of the servers that can be called now."""
        return [name for name, server in self._connections.items() if server.is_connected]

    def _add(self, config: ServerConfig) -> ServerConnection:
        name = config.name
        connection = self._connections[name] = ServerConnection(config, self._context)
        connection.state_changed.connect(lambda: self.state_changed.send(name))
        connection.tools_changed.connect(lambda: self.tools_changed.send(name))
        connection.resources_changed.connect(lambda: self.resources_changed.send(name))
        connection.resource_updated.connect(lambda uri: self.resource_updated.send(name, uri))
        connection.offers.resource_read.connect(
            lambda uri, read: self.resource_read.send(name, uri, read)
        )
        connection.offers.prompt_filled.connect(
            lambda prompt, given, filled: self.prompt_filled.send(name, prompt, given, filled)
        )
        connection.prompts_changed.connect(lambda: self.prompts_changed.send(name))
        connection.log_received.connect(lambda message: self.log_received.send(name, message))
        return connection

    def _remove(self, connection: ServerConnection) -> asyncio.Task[None]:
        del self._connections[connection.name]
        connection.stop()
        task = spawn(connection.disconnect(), f"remove {connection.name}")
        self._leaving[connection] = task
        task.add_done_callback(lambda _: self._leaving.pop(connection, None))
        return task


def _apply_config(connection: ServerConnection, config: ServerConfig) -> None:
    """Give a connection another config; restart, stop or start its server where that needs it."""
    before = connection.config
    connection.reconfigure(config)
    if _must_reconnect(before, config):
        (connection.start_anew if config.enabled else connection.stop)()
    elif config.enabled and connection.state.phase in {"stopped", "untrusted"}:
        connection.start()


def _must_reconnect(before: ServerConfig, after: ServerConfig) -> bool:
    """Whether the change is one that a running session cannot take over."""
    taken_over = ("timeout", "disabled_tools", "enabled_tools", "tool_rules", "log_level", "roots")
    live = {name: getattr(after, name) for name in taken_over}
    return before.model_copy(update=live) != after


async def why_away(service: McpService, name: str) -> str:
    """Why no tool of a configured server can be called now; empty where that is no reason.

    One that is just being started or started again is waited for, some seconds at most.
    """
    connection = service.connections.get(name)
    if connection is None:
        return ""
    changed = asyncio.Event()
    unfollow = connection.state_changed.connect(changed.set)
    try:
        async with asyncio.timeout(AWAY_LIMIT):
            while connection.state.is_starting:
                changed.clear()
                await changed.wait()
    except TimeoutError:
        pass
    finally:
        unfollow()
    if connection.is_connected:
        return ""
    if not connection.is_enabled:
        return translatable("{server} is switched off: its tools cannot be called", server=name)
    words = connection.state.words.partition("\n")[0][:MAX_AWAY_LENGTH]
    return translatable("{server} is not connected ({state})", server=name, state=words)
