"""Streamable HTTP and SSE through the SDK's transports, with limits, our own headers and a record.

The SDK parses messages unseen, makes up answers and swallows notifications, so the record is taken
from the bodies of HTTP requests and responses on their way through: only what is on the wire is in
it, and nothing is changed or delayed. Must not follow a redirect away from the server's origin (the
SDK sees to it). Must not log headers: they carry secrets; only content type and coding are read.
Source: MCP specification, basic/transports; WHATWG HTML, server-sent events.
"""

from __future__ import annotations

import zlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import anyio
import httpx2

from desktop.servers.message_stream import ReceiveStream
from desktop.servers.sdk import sse_client, streamable_http_client
from desktop.servers.stdio_transport import MAX_LINE_BYTES, LineBuffer, LineTooLongError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from mcp.client._transport import ReadStream, Transport, TransportStreams
    from mcp.shared.message import SessionMessage

    from desktop.config.models import ServerConfig
    from desktop.servers.message_log import MessageRecorder

LISTENING_REFUSED = 400
_CODINGS = frozenset(("gzip", "deflate", "identity"))
"""What can be read here; others are not offered to servers unless a package for them is there."""
_GZIP_OR_ZLIB = 47
"""`wbits` of zlib for either header."""


def note_request(tap: MessageRecorder, request: httpx2.Request) -> None:
    """Tell the tap of the message that a request carries, if it does."""
    if request.method == "POST":
        tap.note("sent", request.content)


def note_response(tap: MessageRecorder, response: httpx2.Response) -> None:
    """Tell the tap of each message of an answer, once it is read from it.

    Of a refusal that is no message the status line is told: the SDK does not read the rest.
    """
    coding = response.headers.get("content-encoding", "identity").lower()
    ear, stream = _ear(tap, response), response.stream
    if (
        ear is None
        and response.status_code >= LISTENING_REFUSED
        and response.request.method == "POST"
    ):
        words = f"{response.http_version} {response.status_code} {response.reason_phrase}"
        tap.noise(words.strip().encode())
    if ear is None or coding not in _CODINGS or not isinstance(stream, httpx2.AsyncByteStream):
        return
    response.stream = _HeardStream(stream, ear, is_plain=coding == "identity")


def _ear(tap: MessageRecorder, response: httpx2.Response) -> _Ear | None:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        return _Events(tap)
    is_answer = kind == "application/json" and response.request.method != "DELETE"
    return _Whole(tap) if is_answer else None


class _Ear(Protocol):
    def hear(self, data: bytes) -> None: ...
    def end(self) -> None: ...


class _HeardStream(httpx2.AsyncByteStream):
    """The stream of an answer, which passes on what it reads and lets it be heard."""

    def __init__(self, inner: httpx2.AsyncByteStream, ear: _Ear, *, is_plain: bool) -> None:
        self._inner = inner
        self._ear: _Ear | None = ear
        self._unpack = None if is_plain else zlib.decompressobj(_GZIP_OR_ZLIB)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for data in self._inner:
            self._hear(data)
            yield data
        if self._ear is not None:
            self._ear.end()

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _hear(self, data: bytes) -> None:
        if self._ear is None:
            return
        try:
            self._ear.hear(data if self._unpack is None else self._unpack.decompress(data))
        except (zlib.error, LineTooLongError):  # the SDK meets the same, and says so
            self._ear = None


class _Whole:
    """An answer that is one message."""

    def __init__(self, tap: MessageRecorder) -> None:
        self._tap = tap
        self._parts: list[bytes] = []

    def hear(self, data: bytes) -> None:
        self._parts.append(data)

    def end(self) -> None:
        if body := b"".join(self._parts).strip():
            self._tap.note("received", body)


class _Events:
    """A stream of events, each of which is a message unless it is called otherwise."""

    def __init__(self, tap: MessageRecorder) -> None:
        self._tap = tap
        self._lines = LineBuffer(MAX_LINE_BYTES)
        self._data: list[bytes] = []
        self._is_message = True

    def hear(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._take(line.removesuffix(b"\r"))

    def end(self) -> None:
        """An event without the empty line after it is not one."""

    def _take(self, line: bytes) -> None:
        if not line:
            if (body := b"\n".join(self._data)) and self._is_message:
                self._tap.note("received", body)
            self._data, self._is_message = [], True
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
        elif name == b"event":
            self._is_message = value.strip() in {b"message", b""}


SESSION = "mcp-session-id"
REFUSED, FORGOTTEN = 400, 404
SSE_IDLE = 86_400.0
"""Seconds without an event until an SSE stream is taken for dead; servers may be silent long."""


class HttpTransport:
    """One connection to a server at a URL."""

    pid = None
    exit_code = None
    is_closed_on_purpose = False
    died_of_input = False

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
                self._config.url, http_client=client, max_sse_event_size=MAX_LINE_BYTES
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
