"""Serves HTTP on this machine's loopback address alone, until it is closed.

For the gateway and for the pages of apps. Answers nothing by itself: what is served decides who is
let in. Must not take the signals of the process, nor log what was asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

HOST: Final = "127.0.0.1"
CLOSE_LIMIT: Final = 2
"""Seconds for open connections when it is closed."""


class _Uvicorn(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield  # signals are the app's


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


class LoopbackServer:
    """Serves one ASGI app on sockets that are open already; closes them at the end."""

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        sockets: list[socket.socket],
        max_connections: int,
    ) -> None:
        """Begin to serve. Needs a running loop."""
        config: Any = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            interface="asgi3",
            proxy_headers=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="none",
            server_header=False,
            limit_concurrency=max_connections,
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
