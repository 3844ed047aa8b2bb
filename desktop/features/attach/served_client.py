"""`serve`, carried out by the run that has the servers: hands it our pipes, or the port we opened.

This process then only waits: no message passes through it. Whichever of the three ends first, the
client, this process or that run, the other two see it at once. Must import next to nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from desktop.cli.commands import VALUE_FLAGS
from desktop.cli.exit_codes import Exit
from desktop.features.attach import protocol
from desktop.features.attach.protocol import find_run, next_frame

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType

    from desktop.cli.output import Console
    from desktop.features.gateway.cli.serve_options import ServeOptions

CLIENT: Final = "--client"
_LEAVE_LIMIT: Final = 5.0
"""Seconds until a port that is served for us is closed."""


def run_served(args: list[str]) -> int | None:
    """Have this client served there; None where nobody does, and nothing was handed over."""
    client = _client_of(args)
    if client is None or (connection := find_run(args)) is None:
        return None
    with connection:
        _be_interruptible()
        try:
            return _hand_over(connection, client)
        except (OSError, protocol.WrongFrameError):
            return None
        except KeyboardInterrupt:
            return Exit.INTERRUPTED


def _client_of(args: list[str]) -> str | None:
    """The client that is named, "" for none; None where the arguments say anything else."""
    client, words = "", iter(args)
    for word in words:
        flag, equals, value = word.partition("=")
        if flag not in {CLIENT, *VALUE_FLAGS}:
            return None
        value = value if equals else next(words, "")
        if flag == CLIENT:
            client = value
    return client


def _hand_over(connection: socket.socket, client: str) -> int | None:
    if not _is_taken(connection, {"serve": client}, [0, 1]):
        return None
    # From here on they are the other run's: whoever is served must see it when that one closes.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    code = _wait_for_end(connection)
    if code is not None:
        return code
    sys.stderr.write(
        "mcp-desktop: The app that served this client was closed. Start it again: without the app, "
        "servers of its own are started.\n"
    )
    return Exit.UNREACHABLE


def serve_port(run: socket.socket, options: ServeOptions, console: Console) -> int | None:
    """Have clients over HTTP served there, on the port that is opened here; returns the exit code.

    Raises:
        UsageError: the port cannot be used.
        ConfigError: the token cannot be kept.
        KeyboardInterrupt: SIGINT, SIGTERM or SIGHUP ended it; the port is closed.
    """
    from desktop.features.gateway.address import url_of
    from desktop.features.gateway.cli.serve_http import open_port, tell
    from desktop.features.gateway.token import read_token

    folder = options.paths.data
    token = read_token(folder, new=options.new_token)
    with open_port(options) as opened:
        port = opened.getsockname()[1]
        if not _hand_over_port(run, opened, options.client):
            return None
    tell(port, token, folder, console)
    if not console.as_json:
        console.write("The open window or daemon serves there, with the servers that it runs.")
    try:
        code = _wait_for_end(run)
    except KeyboardInterrupt:
        _leave_port(run)
        raise
    if code is not None:
        return code
    console.note(
        f"mcp-desktop: The app that served {url_of(port)} was closed. Start this again: without the"
        " app, servers of its own are started."
    )
    return Exit.UNREACHABLE


def _hand_over_port(connection: socket.socket, opened: socket.socket, client: str) -> bool:
    """Have clients over HTTP served there, on this socket; whether they are.

    The caller closes its own copy of the socket: the port is open as long as that run serves. From
    here on, SIGINT, SIGTERM and SIGHUP raise `KeyboardInterrupt`.
    """
    _be_interruptible()
    try:
        asked = {"serve": client, "http": True}
        if not _is_taken(connection, asked, [opened.fileno()]):
            return False
        connection.settimeout(protocol.PIPES_LIMIT)
        is_served = next_frame(connection).get("serving") is True
        connection.settimeout(None)
    except (OSError, protocol.WrongFrameError):
        return False
    return is_served


def _wait_for_end(connection: socket.socket) -> int | None:
    """The exit code that the other run gives; None where it ended, and gave none."""
    try:
        code = next_frame(connection).get("exit")
    except (OSError, protocol.WrongFrameError):
        return None
    return code if isinstance(code, int) else None


def _is_taken(
    connection: socket.socket, asked: Mapping[str, object], descriptors: list[int]
) -> bool:
    """Give these open files away to the other run, if it takes them."""
    if sys.platform == "win32":
        raise OSError("Windows has no such socket")
    connection.settimeout(protocol.PIPES_LIMIT)
    connection.sendall(protocol.encode(asked))
    if next_frame(connection).get("pipes") is not True:
        return False
    socket.send_fds(connection, [b"\0"], descriptors)
    connection.settimeout(None)
    return True


def _leave_port(connection: socket.socket) -> None:
    """Say that we end, and wait until the other run has closed the port: then it is free."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(_LEAVE_LIMIT)
        while connection.recv(4096):
            pass


def _be_interruptible() -> None:
    for each in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, each), _interrupt)


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
