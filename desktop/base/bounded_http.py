"""Answers over HTTP within limits: of bytes, of time, of where they lead and how they are packed.

The policy for all that is asked of other machines: no redirect is followed by itself, an answer is
compressed only where that was asked for, and it is read up to so many bytes and seconds. The HTTP
client would unpack a whole chunk at once and collect a body without a limit: 3 MB of gzip become
gigabytes. Here each piece has a size and the loop turns between two of them. What has passed is
decoded. Must not know what is asked. Imports httpx2: only imported itself when something is asked.
Source: RFC 9110, section 8.4.1; RFC 1950 to 1952.
"""

from __future__ import annotations

import asyncio
import math
import time
import zlib
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Final

import httpx2

from desktop import __version__
from desktop.base.http_proxy import usable_proxy

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

HEADERS: Final = {
    "User-Agent": f"mcp-desktop/{__version__}",
    # Compressed, a few bytes could become any number of them after they were counted.
    "Accept-Encoding": "identity",
}
SILENCE: Final = 5.0
"""Seconds, where nobody says otherwise."""
CODINGS: Final = ("gzip", "deflate")
"""What can be unpacked within limits, for who offers it; an answer in any other is refused."""
TOO_LARGE: Final = "the answer is larger than the limit"
TOO_SLOW: Final = "the answer did not end within the limit"
UNKNOWN_CODING: Final = "the answer is compressed in a way that was not asked for"
DAMAGED: Final = "the answer cannot be decompressed"
_PIECE_BYTES: Final = 256 * 1024
"""Decoded at a time: a fraction of a millisecond."""
_GZIP_OR_ZLIB, _RAW = 47, -15
"""`wbits` of zlib for either header, and for none."""


class BodyError(httpx2.StreamError):
    """A body that is not read on; its text is one of the four reasons above."""


def open_client(
    headers: Mapping[str, str] | None = None,
    base_url: str = "",
    *,
    verify: ssl.SSLContext | None = None,
    timeout: float = SILENCE,
) -> httpx2.AsyncClient:
    """A client that asks for nothing compressed, follows no redirect and takes the usual proxies.

    Takes 0.2 s, for the certificates: make it in a thread. A proxy that cannot be used raises a
    `DesktopError` of the request that needs it.

    Args:
        headers: sent with each request.
        base_url: what the paths of requests are appended to.
        verify: for TLS; whom the system trusts where it is None.
        timeout: seconds of silence.
    """
    return httpx2.AsyncClient(
        base_url=base_url,
        headers={**HEADERS, **(headers or {})},
        follow_redirects=False,
        timeout=timeout,
        transport=Connections(verify or httpx2.create_ssl_context()),
    )


def bound(
    response: httpx2.Response,
    most: int | None,
    seconds: float = math.inf,
    codings: tuple[str, ...] = (),
) -> None:
    """Let `response` be read within limits, before anything of it was.

    Args:
        response: of a streamed request. Whoever reads it may get a `BodyError`.
        most: decoded bytes; None for no end.
        seconds: from now to the last byte, looked at with each piece.
        codings: those of `CODINGS` that were asked for.
    """
    stream = response.stream
    if isinstance(stream, httpx2.AsyncByteStream):
        coding = response.headers.pop("content-encoding", "").strip().lower()
        response.stream = _BoundedBody(
            stream, "" if coding == "identity" else coding, codings, most, seconds
        )


class Connections(httpx2.AsyncBaseTransport):
    """Connections for one client, each by the proxy of its address; made when they are needed."""

    def __init__(
        self,
        verify: ssl.SSLContext,
        *,
        http2: bool = False,
        socket_options: Sequence[tuple[int, int, int]] | None = None,
    ) -> None:
        """Args: verify: for TLS. http2, socket_options: see `httpx2.AsyncHTTPTransport`."""
        self._verify, self._http2, self._options = verify, http2, socket_options
        self._ways: dict[str, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        proxy = usable_proxy(str(request.url))
        if (way := self._ways.get(proxy)) is None:
            way = self._ways[proxy] = httpx2.AsyncHTTPTransport(
                verify=self._verify,
                http2=self._http2,
                proxy=proxy or None,
                socket_options=self._options,
            )
        return await way.handle_async_request(request)

    async def aclose(self) -> None:
        ways, self._ways = self._ways, {}
        for way in ways.values():
            await way.aclose()


class _BoundedBody(httpx2.AsyncByteStream):
    """The decoded bytes of an answer.

    An object and not a generator: `aclose` closes what is below it, where the garbage collector
    would close generators inside each other in any order. A second reader goes on where the first
    one stopped.
    """

    def __init__(
        self,
        inner: httpx2.AsyncByteStream,
        coding: str,
        codings: tuple[str, ...],
        most: int | None,
        seconds: float,
    ) -> None:
        self._inner = inner
        self._is_known = not coding or coding in codings
        self._unpacker = _Unpacker(coding) if coding in CODINGS else None
        self._most = math.inf if most is None else most
        self._until = time.monotonic() + seconds
        self._size = 0
        self._chunks: AsyncIterator[bytes] | None = None
        self._pieces: Iterator[bytes] = iter(())

    def __aiter__(self) -> AsyncIterator[bytes]:
        if not self._is_known:
            raise BodyError(UNKNOWN_CODING)
        if self._chunks is None:
            self._chunks = aiter(self._inner)
        return self

    async def __anext__(self) -> bytes:
        while (piece := next(self._pieces, None)) is None:
            if self._chunks is None:
                raise StopAsyncIteration
            chunk = await anext(self._chunks)
            self._pieces = (
                iter((chunk,)) if self._unpacker is None else self._unpacker.pieces(chunk)
            )
        self._size += len(piece)
        if self._size > self._most:
            raise BodyError(TOO_LARGE)
        if time.monotonic() > self._until:
            raise BodyError(TOO_SLOW)
        if self._unpacker is not None and len(piece) == _PIECE_BYTES:
            await asyncio.sleep(0)
        return piece

    async def aclose(self) -> None:
        chunks, self._chunks = self._chunks, None
        if isinstance(chunks, AsyncGenerator):
            await chunks.aclose()
        await self._inner.aclose()


class _Unpacker:
    """Unpacks gzip and zlib; `deflate` also without a header, as some servers send it."""

    def __init__(self, coding: str) -> None:
        self._unpack = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._may_be_raw = coding == "deflate"

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data:
            piece = self._next(data)
            self._may_be_raw = False
            if piece:
                yield piece
            data = self._unpack.unconsumed_tail

    def _next(self, data: bytes) -> bytes:
        try:
            return self._unpack.decompress(data, _PIECE_BYTES)
        except zlib.error:
            if not self._may_be_raw:
                raise BodyError(DAMAGED) from None
        self._unpack, self._may_be_raw = zlib.decompressobj(_RAW), False
        return self._next(data)
