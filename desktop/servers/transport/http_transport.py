"""Streamable HTTP and SSE through the SDK's transports, with limits, our own headers and a record.

The SDK parses messages unseen, makes up answers and swallows notifications, so the record is taken
from the bodies of HTTP requests and responses on their way through: only what is on the wire is in
it, and no message is changed. Must not follow a redirect away from the server's origin (the
SDK sees to it). Must not log headers: they carry secrets; only content type and coding are read.
Source: MCP specification, basic/transports; WHATWG HTML, server-sent events.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from codecs import BOM_UTF8
from collections import deque
from contextlib import asynccontextmanager, suppress
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Protocol, cast

import anyio
import httpx2
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST, ErrorData, JSONRPCError, JSONRPCResponse
from msgspec.structs import replace

from desktop.base.bounded_http import CODINGS, BodyError, bound
from desktop.base.errors import DesktopError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.patches.sdk import log_no_closed_session
from desktop.servers.sdk import SessionMessage
from desktop.servers.state import UNAUTHORIZED
from desktop.servers.transport.http_connections import connections_to
from desktop.servers.transport.http_error_messages import LOOK_AT_TYPE, not_mcp_words
from desktop.servers.transport.http_refusal import (
    MIN_REFUSAL_STATUS,
    TRIED_AGAIN,
    HttpRefusal,
    with_refusal,
)
from desktop.servers.transport.http_sdk import sse_client, streamable_http_client
from desktop.servers.transport.http_tool_list import PageWriter, begin_pages
from desktop.servers.transport.message_stream import ReceiveStream, ToolListPager
from desktop.servers.transport.stdio_transport import MAX_LINE_BYTES, LineBuffer, LineTooLongError
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from mcp.client._transport import ReadStream, Transport, TransportStreams

    from desktop.base.bounded_http import Connections
    from desktop.config.models import ServerConfig
    from desktop.processes.tree_limits import ReachedLimit
    from desktop.servers.message_log import MessageRecorder
    from desktop.servers.state import Challenge

logger = logging.getLogger(__name__)
_NOTED = "mcp-desktop-noted"
_RESUMED = "last-event-id"
_ENDS = 300
_ID = compile_later(rb'"id"\s*:\s*"?([^"\s,.}]*)["\s,.}]')


log_no_closed_session()


async def note_request(tap: MessageRecorder, request: httpx2.Request) -> None:
    """Tell the tap of the message that a request carries, if it does; of one redirected, once."""
    if request.method != "POST":
        return
    body = await request.aread()  # that of a redirect, too, so that others can look at it
    if _NOTED not in request.extensions:
        request.extensions[_NOTED] = True  # the request after a redirect has the same extensions
        tap.note("sent", body)


def note_response(
    tap: MessageRecorder, response: httpx2.Response, heard: Callable[[bytes], None] = lambda _: None
) -> None:
    """Tell the tap of each message of an answer, once it is read from it, and bound its body.

    Of a refusal that is no message the status line is told: the SDK does not read the rest.

    Args: heard: called with each message, too.
    """
    ear = _ear(tap, response, heard)
    # Events may come for days; the SDK bounds each of them.
    bound(response, None if isinstance(ear, _Events) else MAX_LINE_BYTES, codings=CODINGS)
    stream = response.stream
    if (
        ear is None
        and response.status_code >= MIN_REFUSAL_STATUS
        and response.request.method == "POST"
    ):
        words = f"{response.http_version} {response.status_code} {response.reason_phrase}"
        tap.noise(words.strip().encode())
    if ear is not None and isinstance(stream, httpx2.AsyncByteStream):
        response.stream = _HeardStream(stream, ear)


def _ear(
    tap: MessageRecorder, response: httpx2.Response, heard: Callable[[bytes], None]
) -> _Ear | None:
    def note(body: bytes) -> None:
        tap.note("received", body)
        heard(body)

    kind = _kind(response)
    if kind == _EVENTS:
        return _Events(note)
    is_answer = kind == _JSON and response.request.method != "DELETE"
    return _Whole(note) if is_answer else None


def _kind(response: httpx2.Response) -> str:
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


class _Ear(Protocol):
    def hear(self, data: bytes) -> None: ...
    def end(self) -> None: ...


class _HeardStream(httpx2.AsyncByteStream):
    """The stream of an answer, which passes on what it reads and lets it be heard."""

    def __init__(self, inner: httpx2.AsyncByteStream, ear: _Ear) -> None:
        self._inner = inner
        self._ear: _Ear | None = ear

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
            self._ear.hear(data)
        except LineTooLongError:  # the SDK meets the same, and says so
            self._ear = None


class _Whole:
    """An answer that is one message."""

    def __init__(self, note: Callable[[bytes], None]) -> None:
        self._note = note
        self._body = BytesIO()  # put together as it comes, and not all at its end

    def hear(self, data: bytes) -> None:
        self._body.write(data)

    def end(self) -> None:
        if body := self._body.getvalue().strip():
            self._note(body)


class _Events:
    """A stream of events, each of which is a message unless it is called otherwise."""

    def __init__(self, note: Callable[[bytes], None]) -> None:
        self._note = note
        self._lines = LineBuffer(MAX_LINE_BYTES)
        self._data: list[bytes] = []
        self._is_message = True

    def hear(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._take(line.removeprefix(BOM_UTF8).removesuffix(b"\r"))

    def end(self) -> None:
        """An event without the empty line after it is not one."""

    def _take(self, line: bytes) -> None:
        if not line:
            if (body := b"\n".join(self._data)) and self._is_message:
                self._note(body)
            self._data, self._is_message = [], True
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
        elif name == b"event":
            self._is_message = value.strip() in {b"message", b""}


class _EventStream(httpx2.AsyncByteStream):
    """A stream of events without the mark of its byte order, and with its endpoint at one origin.

    The older transport names the address that messages go to; behind a proxy it is often that of a
    machine which cannot be reached from here. Its path is right.
    """

    def __init__(
        self, inner: httpx2.AsyncByteStream, url: str, named: Callable[[str], None] | None
    ) -> None:
        """Args: url: of the server. named: told of another host; None where no endpoint comes."""
        self._inner = inner
        self._url, self._named = httpx2.URL(url), named
        self._is_endpoint = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held, is_begun = b"", False
        async for data in self._inner:
            held += data
            if not is_begun and len(held) < len(BOM_UTF8) and BOM_UTF8.startswith(held):
                continue
            held = held if is_begun else held.removeprefix(BOM_UTF8)
            is_begun = True
            lines = held.splitlines(keepends=True) if self._named is not None else [held]
            held = b""
            if self._named is not None and not lines[-1:][0].endswith((b"\n", b"\r")):
                held = lines.pop()
            yield b"".join(map(self._mended, lines))
            if len(held) > MAX_REFUSAL_BYTES:
                self._named = None
            if self._named is None and held:
                yield held
                held = b""
        if held:
            yield held

    def _mended(self, line: bytes) -> bytes:
        name, _, value = line.partition(b":")
        if self._named is None or name not in {b"event", b"data"}:
            return line
        if name == b"event":
            self._is_endpoint = value.strip() == b"endpoint"
            return line
        if not self._is_endpoint:
            return line
        told, self._named = self._named, None
        try:
            endpoint = self._url.join(value.strip().decode())
        except (httpx2.InvalidURL, UnicodeError):
            return line
        if (endpoint.scheme, endpoint.netloc) == (self._url.scheme, self._url.netloc):
            return line
        told(endpoint.host)
        here = self._url.join("/").copy_with(raw_path=endpoint.raw_path)
        return b"data: " + str(here).encode() + b"\n"

    async def aclose(self) -> None:
        await self._inner.aclose()


MAX_REFUSAL_BYTES = 65_536
"""Bytes of the body of a refusal that are read; a reason is shorter."""
REFUSAL_WAIT = 2.0
"""Seconds in which the body of a refusal has to come."""
MAX_OPEN_REFUSALS = 100
"""Refusals that wait for their error to pass; one whose caller has gone never does."""
SSE_IDLE = 86_400.0
"""Seconds without an event until an SSE stream is taken for dead; servers may be silent long."""
MAX_STREAM_PAUSE = 300.0
"""Seconds until a stream for messages of the server is opened again, where the last ones had none.
"""
STEADY_STREAM = 20.0
"""Seconds after which a stream that ends has not ended at once."""
_ACCEPTED = "server answered a request with 202 Accepted"
"""What the SDK answers in the place of a server that did not; the answer may come elsewhere."""
_OF_ANOTHER = "its answer has the id of another request"
_EVENTS, _JSON = "text/event-stream", "application/json"
_FORGOTTEN = translatable("was restarted and no longer knows the session")


class HttpTransport:
    """One connection to a server at a URL."""

    pid = None
    exit_code = None
    lost_keeper = False
    reached: ReachedLimit = ""
    is_closed_on_purpose = False
    died_of_input = False
    program = ""

    def __init__(
        self,
        config: ServerConfig,
        closed: Callable[[], None],
        tap: MessageRecorder,
        *,
        is_sse: bool = False,
        auth: httpx2.Auth | None = None,
        challenged: Callable[[Challenge], None] = lambda _: None,
    ) -> None:
        """Prepare a connection.

        Args:
            config: where to, with its variables replaced.
            closed: called once, when nothing more can be received.
            tap: told of messages.
            is_sse: speak SSE, even where the config does not say so.
            auth: gives each request its token.
            challenged: called when a message is refused for want of a sign-in.
        """
        self._config = config
        self.is_sse = is_sse or config.transport == "sse"
        self._closed, self._tap = closed, tap
        self._auth, self._challenged = auth, challenged
        self._refusals: dict[object, HttpRefusal] = {}
        self._reader: _WatchedReader | None = None
        self._streams = ServerStreams()
        self._held: dict[object, SessionMessage] = {}
        self._other_host = ""
        self._pages = ToolListPager()
        self._connections: Connections | None = None
        self.is_closed = False
        self.lost = ""

    @property
    def url(self) -> str:
        """Where the server is, its variables replaced; may hold a secret."""
        return self._config.url

    @property
    def transport(self) -> Transport:
        return self._watched()

    async def settle(self) -> None:
        """Nothing is told later than the loss itself."""

    @asynccontextmanager
    async def _watched(self) -> AsyncGenerator[TransportStreams]:
        # Beside the loop: it reads the authorities that the system trusts, 10 ms or many more.
        self._connections = await asyncio.to_thread(connections_to, self._config)
        opened = self._sse() if self.is_sse else self._streamable()
        async with opened as (read, write):
            ended = translatable("closed the connection")
            reader = self._reader = _WatchedReader(read, lambda: self._end(ended), self._pass)
            yield reader, PageWriter(write, self._pages, reader.put)

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
        connections, self._connections = self._connections, None
        return httpx2.AsyncClient(
            headers=_with_codings(headers or {}),
            timeout=timeout,
            auth=auth or self._auth,
            event_hooks={"request": [self._note_request], "response": [self._note_response]},
            transport=connections or connections_to(self._config),
        )

    async def _note_request(self, request: httpx2.Request) -> None:
        await note_request(self._tap, request)
        if request.method == "GET" and not self.is_sse:
            if _RESUMED not in request.headers:
                await anyio.sleep(self._streams.pause())
            self._streams.is_asked = True

    async def _note_response(self, response: httpx2.Response) -> None:
        note_response(self._tap, response, partial(self._hear, response))
        if response.is_success and _kind(response) == _EVENTS:
            self._open_stream(response)
        if self.is_sse and response.request.method == "GET" and response.is_success:
            _check_is_event_stream(response)
        elif response.request.method == "GET" and not response.is_redirect:
            self._streams.is_asked = False
            self._pass_held()
        if response.status_code < MIN_REFUSAL_STATUS:
            return
        if response.request.method != "POST":
            self._note_challenge(HttpRefusal.from_response(response))
            return
        is_final = response.request.extensions.get(TRIED_AGAIN, True)
        if is_final or response.status_code != UNAUTHORIZED:
            await self._note_refusal(response)

    def _open_stream(self, response: httpx2.Response) -> None:
        stream = response.stream
        if not isinstance(stream, httpx2.AsyncByteStream):
            return
        is_servers = response.request.method == "GET"
        if is_servers and not self.is_sse:
            self._streams.opened()
            stream = _ClosingStream(stream, self._stream_closed)
        named = self._note_other_host if is_servers and self.is_sse else None
        response.stream = _EventStream(stream, self._config.url, named)

    def _note_other_host(self, host: str) -> None:
        self._other_host = host
        logger.warning("%s: its endpoint is named at another host", self._config.name)

    def _stream_closed(self) -> None:
        self._streams.closed()
        self._pass_held()

    def _pass_held(self) -> None:
        if self._streams.may_bring:
            return
        held, self._held = self._held, {}
        for message in held.values():  # nothing can bring their answers any more
            if self._reader is not None:
                self._reader.put(message)

    def _hear(self, response: httpx2.Response, body: bytes) -> None:
        """Look at each message: what a stream brings, and whether an answer is to its request."""
        if response.request.method != "POST":
            self._streams.brought()
        elif response.is_success and _kind(response) == _JSON:
            self._check_id(response.request, body)

    def _check_id(self, request: httpx2.Request, body: bytes) -> None:
        """Answer a request whose answer is whole, and is to another: none can follow it."""
        sent = _message_id(request.content)
        if sent is None or _may_answer(body, sent):
            return
        found = object_of(json.loads(body))
        if "jsonrpc" not in found:
            return  # no message at all: the SDK says so
        try:
            error = ErrorData.model_validate(found.get("error"))
        except ValueError:
            error = ErrorData(code=INVALID_REQUEST, message=_OF_ANOTHER)
        if self._reader is not None:
            answer = JSONRPCError(jsonrpc="2.0", id=sent, error=error)
            self._reader.put(SessionMessage(answer))

    async def _note_refusal(self, response: httpx2.Response) -> None:
        """Keep what the SDK keeps to itself until the error of this message passes."""
        refusal = HttpRefusal.from_response(
            response, await _beginning(response), is_sse=self.is_sse
        )
        if self._other_host:
            phrase = f"{refusal.phrase}; its endpoint is named at {self._other_host}"
            refusal = replace(refusal, phrase=phrase)
        self._note_challenge(refusal)
        message_id = _message_id(await response.request.aread())
        if message_id is None:  # a notification: nobody waits for an answer to it
            if refusal.forgot_session(INTERNAL_ERROR):
                self._end(_FORGOTTEN)
            return
        if self.is_sse:
            self._answer_for(response, message_id, refusal)
            return
        self._refusals[message_id] = refusal
        if len(self._refusals) > MAX_OPEN_REFUSALS:
            del self._refusals[next(iter(self._refusals))]

    def _note_challenge(self, refusal: HttpRefusal) -> None:
        if (challenge := refusal.asks_to_sign_in) is not None:
            self._challenged(challenge)

    def _answer_for(
        self, response: httpx2.Response, message_id: str | int, refusal: HttpRefusal
    ) -> None:
        """Answer a message that was refused over SSE.

        The SDK would give up sending for good, and whoever waits for the answer would wait on.
        """
        response.status_code = httpx2.codes.ACCEPTED
        words = ErrorData(code=INTERNAL_ERROR, message=refusal.status_line)
        error = JSONRPCError(jsonrpc="2.0", id=message_id, error=words)
        self._refusals[message_id] = refusal
        if self._reader is not None:
            self._reader.put(SessionMessage(error))

    def _pass(self, message: SessionMessage) -> bool:
        """Look at a message; whether it is passed on."""
        answer = message.message
        if isinstance(answer, JSONRPCError | JSONRPCResponse):
            is_held = isinstance(answer, JSONRPCError) and answer.error.message == _ACCEPTED
            if is_held and self._streams.may_bring:
                self._held[answer.id] = message
                return False
            self._held.pop(answer.id, None)
        begin_pages(message, self._pages)
        self._add_refusal(message)
        return True

    def _add_refusal(self, message: SessionMessage) -> None:
        """Give an error the refusal that it came from."""
        error = message.message
        if not self._refusals or not isinstance(error, JSONRPCError):
            return
        if (refusal := self._refusals.pop(error.id, None)) is None:
            return
        error.error = error.error.model_copy(
            update={"data": with_refusal(error.error.data, refusal)}
        )
        if refusal.forgot_session(error.error.code):
            self._end(_FORGOTTEN)

    def _end(self, why: str) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.lost = why
            self._closed()


class ServerStreams:
    """The streams for what a server says by itself: how many are open, how soon the next may be.

    The SDK opens another one a second after the last for ever, also where each ends at once.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open = 0
        self.is_asked = False  # the SDK asks for one at a time, and again where that failed
        self._empty = 0
        self._since = 0.0

    @property
    def may_bring(self) -> bool:
        """Whether one is open, or asked for: many servers begin to answer with the first event."""
        return self._open > 0 or self.is_asked

    def pause(self) -> float:
        """Seconds to wait before the next one is asked for."""
        if self._empty and self._clock() - self._since > STEADY_STREAM + self._seconds:
            self._empty = 0
        seconds = self._seconds
        self._empty += 1
        self._since = self._clock() + seconds
        return seconds

    @property
    def _seconds(self) -> float:
        return min(MAX_STREAM_PAUSE, 2.0 ** min(self._empty, 10)) if self._empty else 0.0

    def opened(self) -> None:
        self._open += 1
        self.is_asked = False
        self._since = self._clock()

    def closed(self) -> None:
        self._open -= 1

    def brought(self) -> None:
        """A message came."""
        self._empty = 0


class _ClosingStream(httpx2.AsyncByteStream):
    """A stream that tells of its end, once."""

    def __init__(self, inner: httpx2.AsyncByteStream, closed: Callable[[], object]) -> None:
        self._inner = inner
        self._closed: Callable[[], object] | None = closed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for data in self._inner:
            yield data

    async def aclose(self) -> None:
        closed, self._closed = self._closed, None
        await self._inner.aclose()
        if closed is not None:
            closed()


def _may_answer(body: bytes, sent: str | int) -> bool:
    """Whether a whole answer is to the message with this id; such are told by their ends alone."""
    wanted, ends = str(sent).encode(), (body[:_ENDS], body[-_ENDS:])
    if any(found[1] == wanted for end in ends for found in _ID.finditer(end)):
        return True
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return True  # the SDK says that it cannot be read
    found = list_of(value) or [value]
    return any(str(object_of(each).get("id")) == str(sent) for each in found)


def _with_codings(headers: dict[str, str]) -> dict[str, str]:
    """The headers with what answers may be compressed as, unless the config says so itself."""
    if any(name.lower() == "accept-encoding" for name in headers):
        return headers
    return {**headers, "accept-encoding": ", ".join(CODINGS)}


def _check_is_event_stream(response: httpx2.Response) -> None:
    """Raise what to tell of an address that answers a listener with something else than events."""
    kind = _kind(response)
    if kind != _EVENTS:
        raise DesktopError(not_mcp_words(kind), remedy=LOOK_AT_TYPE)


def _message_id(body: bytes) -> str | int | None:
    try:
        message: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    found = cast("dict[str, object]", message).get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str | int) else None


async def _beginning(response: httpx2.Response) -> str:
    """The first of the body of a refusal as text, within a limit of bytes and of time."""
    stream = response.stream
    if not isinstance(stream, httpx2.AsyncByteStream):
        return ""
    response.stream = _FirstBytes(stream)
    with suppress(httpx2.HTTPError, BodyError), anyio.move_on_after(REFUSAL_WAIT):
        await response.aread()
        return response.text
    response.is_stream_consumed = False  # whoever reads on finds the end, not an error
    return ""


class _FirstBytes(httpx2.AsyncByteStream):
    """A stream that ends early, and is empty when it is read again."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner
        self._left = MAX_REFUSAL_BYTES

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._left < MAX_REFUSAL_BYTES:
            return
        async for data in self._inner:
            yield data[: self._left]
            self._left -= len(data)
            if self._left <= 0:
                return

    async def aclose(self) -> None:
        await self._inner.aclose()


class _WatchedReader(ReceiveStream):
    """Passes messages on, those that are put here among them, and tells when there are no more."""

    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        ended: Callable[[], None],
        passing: Callable[[SessionMessage], bool],
    ) -> None:
        """Args: ended: there are no more messages. passing: whether one is to be read."""
        self._inner = inner
        self._ended = ended
        self._passing = passing
        self._put: deque[SessionMessage] = deque()
        self._waiting = anyio.CancelScope()

    def put(self, message: SessionMessage) -> None:
        """Add a message that did not come from the server."""
        self._put.append(message)
        self._waiting.cancel()

    async def receive(self) -> SessionMessage | Exception:
        while True:
            message = await self._next()
            if not isinstance(message, SessionMessage) or self._passing(message):
                return message

    async def _next(self) -> SessionMessage | Exception:
        while not self._put:
            try:
                with anyio.CancelScope() as self._waiting:  # loses nothing that has come already
                    return await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                self._ended()
                raise
        return self._put.popleft()

    async def aclose(self) -> None:
        await self._inner.aclose()
