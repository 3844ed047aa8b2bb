"""Hears the JSON-RPC messages in HTTP requests and answers, as they pass to and from the SDK.

The SDK parses them unseen, makes up answers and swallows notifications: only what is on the wire is
noted. Source: MCP specification, basic/transports; WHATWG HTML, server-sent events. Changes and
holds up nothing, and never sees a header's value but the content's type and coding.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol

import httpx2

from desktop.servers.lines import LINE_LIMIT, LineBuffer, LineTooLongError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from desktop.servers.traffic import MessageRecorder

REFUSED = 400
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
    if ear is None and response.status_code >= REFUSED and response.request.method == "POST":
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
        self._lines = LineBuffer(LINE_LIMIT)
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
