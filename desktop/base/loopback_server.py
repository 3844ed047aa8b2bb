"""Serves HTTP on this machine's loopback address alone, until it is closed.

For the gateway and for the pages of apps. Answers nothing by itself: what is served decides who is
let in. Anybody on this machine may connect, so a connection that asks nothing is closed, and makes
room at the limit. Must not take the signals of the process, nor log what was asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from desktop.base.errors import UsageError
from desktop.base.file_limit import raise_file_limit
from desktop.base.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

HOST: Final = "127.0.0.1"
CLOSE_LIMIT: Final = 2
"""Seconds for open connections when it is closed."""
HEAD_LIMIT: Final = 5.0
"""Seconds in which a connection has to bring the head of a request."""
_SHARE: Final = 4
"""Connections take no more than one in so many of the files that this process may open."""
_BACKLOG: Final = 64
"""Connections that wait to be accepted; asyncio accepts as many at a time."""
_SAY_AGAIN: Final = 60.0
"""Seconds until it is said again that no file is left."""


class _Uvicorn(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield  # signals are the app's


class _Connection(H11Protocol):
    """One connection. `waiting` has all that owe a head, the longest waiting first."""

    def __init__(
        self, *given: Any, most: int, waiting: dict[_Connection, asyncio.TimerHandle], **named: Any
    ) -> None:
        super().__init__(*given, **named)
        self._most, self._waiting = most, waiting

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()
        if len(self.connections) > self._most:
            next(iter(self._waiting)).drop()  # this one, if all others have asked something

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: Any = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:  # a part of a head
            self._await_head()
        else:
            self._has_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_head()
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close it without an answer."""
        self._has_head()
        self.transport.abort()

    def _await_head(self) -> None:
        if self not in self._waiting:
            self._waiting[self] = self.loop.call_later(HEAD_LIMIT, self.drop)

    def _has_head(self) -> None:
        if (timer := self._waiting.pop(self, None)) is not None:
            timer.cancel()


_NO_FILES: Final = (
    "No more files can be opened: further connections on loopback wait until some are closed."
)


class _OutOfFiles(logging.Filter):
    """Says once a minute, in a sentence, what asyncio says of each connection it cannot accept."""

    def __init__(self) -> None:
        super().__init__()
        self._next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if "._start_serving(" in message and _is_closed(record):
            return False  # it tries again a second later: the server has been closed meanwhile
        if "socket.accept() out of system resource" not in message:
            return True
        record.msg = _NO_FILES
        record.args = record.exc_info = None
        is_due = time.monotonic() >= self._next
        if is_due:
            self._next = time.monotonic() + _SAY_AGAIN
        return is_due


def _is_closed(record: logging.LogRecord) -> bool:
    """Whether what went wrong is that a socket was closed before."""
    error = record.exc_info[1] if record.exc_info else None
    return isinstance(error, ValueError) and "Invalid file descriptor: -1" in str(error)


_out_of_files = _OutOfFiles()


def open_socket(port: int) -> socket.socket:
    """A socket on loopback; port 0 takes a free one.

    Raises:
        UsageError: the port cannot be used.
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
        opened.listen(128)
    except OSError as error:
        opened.close()
        words = f"Port {port} cannot be used: {error.strerror}."
        raise UsageError(words, remedy="Choose another one, or 0.") from None
    return opened


def is_stranger(client: tuple[str, int] | None, server: tuple[str, int]) -> bool:
    """Whether another user of this machine has opened the connection; Linux alone can tell.

    Args: client: where it comes from. server: where it leads; both as ASGI's `scope` has them.
    Source: proc_net(5), /proc/net/tcp.
    """
    if sys.platform != "linux" or client is None:
        return False
    wanted = _proc_address(*client), _proc_address(*server)
    try:
        with open("/proc/net/tcp", encoding="ascii") as table:
            for row in table:
                _, local, remote, *rest = row.split()
                if (local, remote) == wanted:
                    return int(rest[4]) not in (0, os.getuid())
    except (OSError, ValueError, IndexError):
        return False
    return False


def _proc_address(host: str, port: int) -> str:
    number = int.from_bytes(socket.inet_aton(host), sys.byteorder)
    return f"{number:08X}:{port:04X}"


class LoopbackServer:
    """Serves one ASGI app on sockets that are open already; closes them at the end."""

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        sockets: list[socket.socket],
        max_connections: int,
    ) -> None:
        """Begin to serve. Needs a running loop."""
        logging.getLogger("asyncio").addFilter(_out_of_files)
        most = min(max_connections, raise_file_limit() // _SHARE)
        waiting: dict[_Connection, asyncio.TimerHandle] = {}
        connection: Any = partial(_Connection, most=most, waiting=waiting)
        config: Any = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            interface="asgi3",
            proxy_headers=False,
            lifespan="off",
            ws="none",
            http=connection,
            loop="none",
            server_header=False,
            backlog=_BACKLOG,
            timeout_graceful_shutdown=CLOSE_LIMIT,
        )
        self._server = _Uvicorn(config)
        self._sockets = sockets
        self.serving = spawn(self._server.serve(sockets), "serve HTTP on loopback")

    async def close(self) -> None:
        """Take no connections any more, and end those that are open within `CLOSE_LIMIT`."""
        self._server.should_exit = True
        await asyncio.wait({self.serving}, timeout=CLOSE_LIMIT + 1)
        self.serving.cancel()
        for opened in self._sockets:
            opened.close()
