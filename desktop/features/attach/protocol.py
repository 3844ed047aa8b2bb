"""What a terminal command and the run that has the servers say to each other, and where.

A Unix socket in the data folder, for its owner alone, and JSON lines over it. The run that listens
(the window, or `mcp-desktop daemon`) holds the lock beside it. The first line of a command is its
greeting; what does not fit there, another version or config file, is a reason to start alone.

    command: {"protocol", "version", "config", "servers"}        greeting, `servers` a fingerprint
    run:     {"ok": true}                                        or {"no": why}
    command: {"command", "args", "terminal"}
    run:     {"out": text} {"err": text} {"ask": true} {"alive": true} ... {"exit": code}
    command: {"line": text or null} {"cancel": true}

A gateway that a client started is carried out there, too, on that client's own pipes:

    command: {"serve": name}                                     the client's, or ""
    run:     {"pipes": true}
    command: one byte, and with it its standard input and output
    run:     {"exit": code}                                      once the client has left

So is one for any number of clients, on the port that it opened on loopback:

    command: {"serve": name, "http": true}
    run:     {"pipes": true}
    command: one byte, and with it the socket that listens
    run:     {"serving": true}                                   until either of the two ends

A window that starts says {"protocol", "leave": true} to a daemon, which makes room for it.
A command imports this before anything else: it must import next to nothing. Not on Windows, where
Python has no such sockets.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from desktop import __version__
from desktop.cli.commands import read_path_flags

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from desktop.base.paths import Paths

PROTOCOL: Final = 1
SOCKET: Final = "commands.sock"
LOCK: Final = "commands.lock"
IS_SUPPORTED: Final = sys.platform != "win32" and hasattr(socket, "AF_UNIX")
MAX_LINE: Final = 64 * 1024 * 1024
"""Bytes of a line: arguments with a file in them."""
MAX_TEXT: Final = 256 * 1024
"""Characters of the output in one line."""
GREETING_LIMIT: Final = 2.0
"""Seconds until a greeting is answered, or comes; then a command starts alone."""
PIPES_LIMIT: Final = 10.0
"""Seconds for each step of handing pipes over, once a greeting was answered."""
ALIVE_EVERY: Final = 5.0
"""Seconds between two signs of life of the run."""
SILENCE_LIMIT: Final = 60.0
"""Seconds without one after which a command gives up: the run hangs."""
_MAX_PATH: Final = 90
"""Bytes of a socket's path: the systems take 104."""
_UCRED: Final = struct.Struct("3i")
_LOCAL_PEERCRED: Final = 1
_XUCRED: Final = struct.Struct("II")
"""How xucred of sys/ucred.h begins: version and effective user."""


class WrongFrameError(Exception):
    """A line is no JSON object, or too long."""


def encode(frame: Mapping[str, object]) -> bytes:
    """One line; half a surrogate pair, as in a file name that is no UTF-8, survives it."""
    return json.dumps(frame, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """The object of one line.

    Raises:
        WrongFrameError: it is none.
    """
    try:
        frame: object = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongFrameError("it is not JSON") from None
    if not isinstance(frame, dict):
        raise WrongFrameError("it is no object")
    return cast("dict[str, Any]", frame)


def fingerprint(environ: Mapping[str, str]) -> str:
    """Of the servers that the environment adds: a run with others is not the right one to ask."""
    text = environ.get("MCP_SERVERS", "")
    if not text:
        return ""
    import hashlib  # 4 ms: few set the variable

    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@contextmanager
def reachable(folder: str | os.PathLike[str]) -> Generator[str]:
    """The path of the socket, or a shorter one to it where the system takes no such long one.

    Raises:
        OSError: there is none.
    """
    path = os.path.join(folder, SOCKET)
    if len(os.fsencode(path)) <= _MAX_PATH:
        yield path
        return
    if sys.platform != "linux":
        raise OSError(f"the path of {path} is too long for a socket")
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{opened}/{SOCKET}"
    finally:
        os.close(opened)


def is_own(other: socket.socket) -> bool:
    """Whether the same user is at the other end.

    Beside the socket's and its folder's permissions, so that a folder that somebody opened to
    others does not open this.
    """
    if sys.platform == "win32":
        return False
    try:
        if sys.platform == "darwin":
            told = other.getsockopt(0, _LOCAL_PEERCRED, _XUCRED.size)
            return _XUCRED.unpack(told)[1] == os.geteuid()
        told = other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    except (OSError, struct.error):
        return False
    return _UCRED.unpack(told)[1] == os.geteuid()


def find_run(args: list[str]) -> socket.socket | None:
    """A connection to the run that has the servers of these arguments; None where there is none."""
    from desktop.base.paths import find_paths

    try:
        return _connect(find_paths(*read_path_flags(args)))
    except (OSError, WrongFrameError):
        return None


def _connect(paths: Paths) -> socket.socket | None:
    """A connection over which commands are taken; None where this one had better start alone."""
    if sys.platform == "win32":
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(GREETING_LIMIT)
        with reachable(paths.data) as path:
            connection.connect(path)
        if is_own(connection):
            connection.sendall(encode(_greeting(paths)))
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
        "protocol": PROTOCOL,
        "version": __version__,
        "config": str(paths.config),
        "servers": fingerprint(os.environ),
        "word": [paths.is_own_word, paths.is_trusted],
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
        if not part or len(line) > MAX_TEXT:
            raise WrongFrameError("it was closed, or says too much")
    return decode(line)
