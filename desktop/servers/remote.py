"""Streamable HTTP and SSE through the SDK's transports, with limits and our own headers.

Source: MCP specification, basic/transports. Follows no redirect away from the server's origin (the
SDK sees to it). Must not log headers: they carry secrets.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import httpx2

from desktop.servers.lines import LINE_LIMIT
from desktop.servers.listening import note_request, note_response
from desktop.servers.sdk import sse_client, streamable_http_client
from desktop.servers.streams import ReceiveStream
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from mcp.client._transport import ReadStream, Transport, TransportStreams
    from mcp.shared.message import SessionMessage

    from desktop.config.models import ServerConfig
    from desktop.servers.traffic import MessageRecorder

SESSION = "mcp-session-id"
REFUSED, FORGOTTEN = 400, 404
SSE_IDLE = 86_400.0
"""Seconds without an event until an SSE stream is taken for dead; servers may be silent long."""


class HttpTransport:
    """One connection to a server at a URL."""

    pid = None
    exit_code = None

    def __init__(
        self, config: ServerConfig, closed: Callable[[], None], tap: MessageRecorder
    ) -> None:
        """Args: closed: called once, when nothing more can be received. tap: told of messages."""
        self._config = config
        self._closed = closed
        self._tap = tap
        self.is_closed = False
        self.lost = ""
        self.refusal = ""

    @property
    def transport(self) -> Transport:
        return self._watched()

    @asynccontextmanager
    async def _watched(self) -> AsyncGenerator[TransportStreams]:
        opened = self._sse() if self._config.transport == "sse" else self._streamable()
        async with opened as (read, write):
            yield (
                _WatchedReader(read, lambda: self._end(translatable("closed the connection"))),
                write,
            )

    @asynccontextmanager
    async def _streamable(self) -> AsyncGenerator[TransportStreams]:
        limit = self._config.connect_timeout
        timeout = httpx2.Timeout(limit, read=None)  # the call's own limit ends a silent read
        async with (
            self._http_client(dict(self._config.headers), timeout) as client,
            streamable_http_client(
                self._config.url, http_client=client, max_sse_event_size=LINE_LIMIT
            ) as streams,
        ):
            yield streams

    @asynccontextmanager
    async def _sse(self) -> AsyncGenerator[TransportStreams]:
        async with sse_client(
            self._config.url,
            headers=dict(self._config.headers),
            timeout=self._config.connect_timeout,
            sse_read_timeout=SSE_IDLE,
            httpx_client_factory=self._http_client,
        ) as streams:
            yield streams

    def _http_client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        hooks = {"request": [self._note_request], "response": [self._note_refusal]}
        return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, event_hooks=hooks)

    async def _note_request(self, request: httpx2.Request) -> None:
        note_request(self._tap, request)

    async def _note_refusal(self, response: httpx2.Response) -> None:
        """The SDK keeps the status to itself; 404 to a session means that the server forgot it."""
        status = response.status_code
        self.refusal = f"{status} {response.reason_phrase}".strip() if status >= REFUSED else ""
        if status == FORGOTTEN and SESSION in response.request.headers:
            self._end(translatable("was started anew and does not know the session any more"))
        note_response(self._tap, response)

    def _end(self, why: str) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.lost = why
            self._closed()


class _WatchedReader(ReceiveStream):
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
