"""Decodes the bodies of HTTP answers piece by piece, and bounds what comes out.

The HTTP client would unpack a whole chunk at once and collect a body without a limit: 3 MB of gzip
become gigabytes. Here each piece has a size, the loop turns between two of them, and a body that is
one message ends at the limit of a line. What has passed is decoded, so whoever records it reads the
same bytes as the SDK. Must not know of messages.
Source: RFC 9110, section 8.4.1; RFC 1950 to 1952.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import anyio.lowlevel
import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

CODINGS = ("gzip", "deflate")
"""Offered to servers; an answer in any other is refused."""
TOO_LARGE = "the answer is larger than the limit"
UNKNOWN_CODING = "the answer is compressed in a way that was not asked for"
DAMAGED = "the answer cannot be decompressed"
_PIECE_BYTES = 256 * 1024
"""Decoded at a time: a fraction of a millisecond."""
_GZIP_OR_ZLIB, _RAW = 47, -15
"""`wbits` of zlib for either header, and for none."""


class BodyError(httpx2.StreamError):
    """A body that is not read on; the SDK answers its request with an error, in these words."""


class DecodedBody(httpx2.AsyncByteStream):
    """The decoded bytes of an answer."""

    def __init__(self, inner: httpx2.AsyncByteStream, coding: str, limit: int | None) -> None:
        """Args: coding: of `inner`, empty for none. limit: decoded bytes; None for no end."""
        self._inner = inner
        self._coding = coding
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the decoded pieces.

        Raises:
            BodyError: it is damaged, larger than the limit, or of a coding that is not known.
        """
        if self._coding and self._coding not in CODINGS:
            raise BodyError(UNKNOWN_CODING)
        unpack = _Unpacker(self._coding) if self._coding else None
        size = 0
        async for data in self._inner:
            for piece in (data,) if unpack is None else unpack.pieces(data):
                size += len(piece)
                if self._limit is not None and size > self._limit:
                    raise BodyError(TOO_LARGE)
                yield piece
                if unpack is not None and len(piece) == _PIECE_BYTES:
                    await anyio.lowlevel.checkpoint()

    async def aclose(self) -> None:
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


def decode_body(response: httpx2.Response, limit: int | None) -> None:
    """Let `response` be read through a `DecodedBody`, before anything of it was."""
    stream = response.stream
    if not isinstance(stream, httpx2.AsyncByteStream):
        return
    coding = response.headers.pop("content-encoding", "").strip().lower()
    response.stream = DecodedBody(stream, "" if coding == "identity" else coding, limit)
