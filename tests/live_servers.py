"""Connections to the test servers, as the app makes them, and bounded waits for what they do."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.config.models import ServerConfig
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.connection import ServerConnection
from desktop.servers.context import ConnectionContext, ProtocolEraCache, StartLimiter
from desktop.servers.retry_pause import Pauses
from desktop.servers.transport.launch import LaunchResolver
from desktop.servers.transport.login_shell import ShellPath
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from desktop.base.signals import Signal
    from desktop.servers.service import McpService
    from desktop.values.tool_types import ErrorCode, ToolResult

T = TypeVar("T")
QUICK = Pauses(first=0.001)
"""Reconnects without the pauses that are made for people: `surroundings(pauses=QUICK)`."""


def stdio(script: str, *args: object, **fields: Any) -> ServerConfig:
    """The config of a test server, called as its script unless `name` says otherwise."""
    program, arguments = command(script, *args)
    values: dict[str, Any] = {
        "name": script,
        "transport": "stdio",
        "command": program,
        "args": tuple(arguments),
        "era": "legacy",
    }
    return ServerConfig.checked(**values | fields)


def surroundings(environ: Mapping[str, str] = os.environ, **fields: Any) -> ConnectionContext:
    """What connections share, with a tracker of their own and nothing written to files."""
    parts: dict[str, Any] = {
        "launcher": LaunchResolver(environ, ShellPath(environ, "/bin/sh")),
        "tracker": McpProcessTracker(),
        "limiter": StartLimiter(),
        "eras": ProtocolEraCache(),
    }
    return ConnectionContext(**parts | fields)


@contextlib.asynccontextmanager
async def connected(
    config: ServerConfig, around: ConnectionContext | None = None
) -> AsyncGenerator[ServerConnection]:
    """A connection that was started, whatever came of it, and is ended afterwards."""
    connection = ServerConnection(config, around or surroundings())
    try:
        async with asyncio.timeout(LIMIT):
            await connection.connect()
        yield connection
    finally:
        await connection.disconnect()


@contextlib.asynccontextmanager
async def ending(service: McpService) -> AsyncGenerator[McpService]:
    """The service, all of whose servers are ended afterwards."""
    try:
        yield service
    finally:
        await service.disconnect_all()


async def until(signal: Signal[...], holds: Callable[[], object], limit: float = LIMIT) -> None:
    """Wait until `holds`, looked at now and at each send of `signal`."""
    done = asyncio.Event()

    def look(*_: object) -> None:
        if holds():
            done.set()

    end = signal.connect(look)
    look()
    try:
        async with asyncio.timeout(limit):
            await done.wait()
    finally:
        end()


async def reached(connection: ServerConnection, phase: str) -> None:
    await until(connection.state_changed, lambda: connection.state.phase == phase)


async def written(connection: ServerConnection, text: str) -> None:
    """Wait until the server's output has `text` in it."""
    output = connection.output
    await until(output.received, lambda: any(text in line for line in output.lines))


def phases(connection: ServerConnection) -> list[str]:
    """A list that grows with each other phase of the connection from now on."""
    return _changes(connection, lambda: connection.state.phase)


def attempts(connection: ServerConnection) -> list[int]:
    """The same of its count of reconnections."""
    return _changes(connection, lambda: connection.state.attempt)


def _changes(connection: ServerConnection, now: Callable[[], T]) -> list[T]:
    seen: list[T] = []

    def look() -> None:
        if seen[-1:] != [now()]:
            seen.append(now())

    connection.state_changed.connect(look)
    return seen


def names(connection: ServerConnection) -> list[str]:
    return [tool.name for tool in connection.tools]


def error_of(result: ToolResult) -> tuple[ErrorCode, str]:
    """Code and message of a result that has to be an error."""
    assert result.error is not None, result
    return result.error.code, result.error.message
