"""Finds the run that has the servers, the window or the daemon, and greets it.

Must import next to nothing: the commands that are carried out there are to be quick.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any

from desktop import __version__
from desktop.cli.attach import protocol
from desktop.cli.commands import read_path_flags

if TYPE_CHECKING:
    from desktop.base.paths import Paths


def find_run(args: list[str]) -> socket.socket | None:
    """A connection to the run that has the servers of these arguments; None where there is none."""
    from desktop.base.paths import find_paths

    try:
        return _connect(find_paths(*read_path_flags(args)))
    except (OSError, protocol.WrongFrameError):
        return None


def _connect(paths: Paths) -> socket.socket | None:
    """A connection over which commands are taken; None where this one had better start alone."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(protocol.GREETING_LIMIT)
        with protocol.reachable(paths.data) as path:
            connection.connect(path)
        if protocol.is_own(connection):
            connection.sendall(protocol.encode(_greeting(paths)))
            if next_frame(connection).get("ok") is True:
                connection.settimeout(None)
                return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _greeting(paths: Paths) -> dict[str, object]:
    return {
        "protocol": protocol.PROTOCOL,
        "version": __version__,
        "config": str(paths.config),
        "servers": protocol.fingerprint(os.environ),
    }


def next_frame(connection: socket.socket) -> dict[str, Any]:
    """The next line, where nothing else follows it unasked.

    Raises:
        OSError: the connection does not answer in its time.
        WrongFrameError: it is closed, or the line is no frame.
    """
    line = b""
    while not line.endswith(b"\n"):
        part = connection.recv(4096)
        line += part
        if not part or len(line) > protocol.MAX_TEXT:
            raise protocol.WrongFrameError("it was closed, or says too much")
    return protocol.decode(line)
