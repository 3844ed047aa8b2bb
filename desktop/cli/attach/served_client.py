"""`serve` for one client, carried out by the run that has the servers: hands it our pipes.

This process then only waits: no message passes through it. Whichever of the three ends first, the
client, this process or that run, the other two see it at once. Must import next to nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Final

from desktop.cli.attach import protocol
from desktop.cli.attach.way import find_run, next_frame
from desktop.cli.commands import VALUE_FLAGS
from desktop.cli.exit_codes import Exit

if TYPE_CHECKING:
    from types import FrameType

CLIENT: Final = "--client"


def run_served(args: list[str]) -> int | None:
    """Have this client served there; None where nobody does, and nothing was handed over."""
    client = _client_of(args)
    if client is None or (connection := find_run(args)) is None:
        return None
    with connection:
        for each in ("SIGINT", "SIGTERM", "SIGHUP"):
            signal.signal(getattr(signal, each), _interrupt)
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
    connection.settimeout(protocol.PIPES_LIMIT)
    connection.sendall(protocol.encode({"serve": client}))
    if next_frame(connection).get("pipes") is not True:
        return None
    socket.send_fds(connection, [b"\0"], [0, 1])
    connection.settimeout(None)
    # From here on they are the other run's: whoever is served must see it when that one closes.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    try:
        code = next_frame(connection).get("exit")
    except (OSError, protocol.WrongFrameError):
        code = None
    if isinstance(code, int):
        return code
    sys.stderr.write(
        "mcp-desktop: The app that served this client was closed. Start it again: without the app, "
        "servers of its own are started.\n"
    )
    return Exit.UNREACHABLE


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
