"""Streamable HTTP and SSE through the SDK's transports, with limits and our own headers.

Source: MCP specification, basic/transports. Follows no redirect away from the server's origin (the
SDK sees to it). Must not log headers: they carry secrets.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Self

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from types import TracebackType

    from mcp.client._transport import ReadStream, Transport, TransportStreams
    from mcp.shared.message import SessionMessage

    from desktop.config.models import ServerConfig

SSE_IDLE = 86_400.0
"""Seconds without an event until an SSE stream is taken for dead; servers may be silent long."""


class RemoteLink:
    """One connection to a server at a URL."""

    pid = None
    exit_code = None

    def __init__(self, config: ServerConfig, closed: Callable[[], None]) -> None:
        """Args: closed: called once, when nothing more can be received."""
        self._config = config
        self._closed = closed
        self.is_closed = False
        self.lost = ""

    @property
    def transport(self) -> Transport:
        return self._watched()

    @asynccontextmanager
    async def _watched(self) -> AsyncGenerator[TransportStreams]:
        opened = self._sse() if self._config.transport == "sse" else self._streamable()
        async with opened as (read, write):
            yield _WatchedReader(read, self._end), write

    @asynccontextmanager
    async def _streamable(self) -> AsyncGenerator[TransportStreams]:
        limit = self._config.connect_timeout
        timeout = httpx2.Timeout(limit, read=None)  # the call's own limit ends a silent read
        headers = dict(self._config.headers)
        async with (
            httpx2.AsyncClient(headers=headers, timeout=timeout) as client,
            streamable_http_client(self._config.url, http_client=client) as streams,
        ):
            yield streams

    @asynccontextmanager
    async def _sse(self) -> AsyncGenerator[TransportStreams]:
        async with sse_client(
            self._config.url,
            headers=dict(self._config.headers),
            timeout=self._config.connect_timeout,
            sse_read_timeout=SSE_IDLE,
        ) as streams:
            yield streams

    def _end(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.lost = "closed the connection"
            self._closed()


class _WatchedReader:
    """Passes messages on and tells when there are no more."""

    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], ended: Callable[[], None]
    ) -> None:
        self._inner = inner
        self._ended = ended

    async def receive(self) -> SessionMessage | Exception:
        try:
            return await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._ended()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self._inner.__aexit__(exc_type, exc_val, exc_tb)
