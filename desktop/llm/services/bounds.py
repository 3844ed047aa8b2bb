"""Keeps a response within bounds before an SDK holds all of it: in bytes, and a line at a time.

Imports the HTTP library of the SDKs: only where one of them is imported anyway.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, cast

import httpx2

from desktop.llm.services.faults import UnacceptableError
from desktop.llm.services.hearing import heard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator

MOST_BYTES: Final = 64_000_000
LONGEST_LINE: Final = 8_000_000
CONNECT_SECONDS: Final = 20.0
HEADERS: Final = {"Accept-Encoding": "identity"}
"""Compressed, a few bytes could become any number of them after they were counted."""


class _Bounded(httpx2.AsyncByteStream):
    """A stream that ends with an error where it is too much, and can be ended from within.

    An object and not a generator, so that what is below it is closed by `aclose` and not by the
    garbage collector, which closes generators inside each other in any order.
    """

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream
        self._pieces: AsyncIterator[bytes] | None = None
        self._total = self._line = 0
        self.is_left = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        if self._pieces is None:  # who reads on goes on where the one before it stopped
            self._pieces = aiter(self._stream)
        return self

    async def __anext__(self) -> bytes:
        if self.is_left or self._pieces is None:
            raise UnacceptableError("was left in the middle of its answer.")
        piece = await anext(self._pieces)
        heard()
        end = piece.rfind(b"\n")
        self._line = len(piece) - end - 1 if end >= 0 else self._line + len(piece)
        self._total += len(piece)
        if self._total > MOST_BYTES or self._line > LONGEST_LINE:
            raise UnacceptableError("sent more than is taken of one answer.")
        return piece

    async def aclose(self) -> None:
        pieces, self._pieces = self._pieces, None
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()
        await self._stream.aclose()


_leavable: ContextVar[list[_Bounded] | None] = ContextVar("leavable", default=None)


def client_options() -> dict[str, Any]:
    """For the constructor of an `httpx2.AsyncClient`, or of the one that an SDK makes of it.

    Redirects are not followed: the key would go along to wherever they lead.
    """
    return {"follow_redirects": False, "event_hooks": {"response": [bound]}}


def timeout() -> httpx2.Timeout:
    """For the connection alone: how long an answer may be silent is limited by its reader."""
    return httpx2.Timeout(None, connect=CONNECT_SECONDS)


async def bound(response: httpx2.Response) -> None:
    """Limit what is read of a response; an event hook."""
    encoding = response.headers.get("content-encoding", "identity").lower()
    if response.is_redirect:
        await response.aclose()
        raise UnacceptableError("sends to another address, which is not followed.")
    if encoding not in {"", "identity"}:
        await response.aclose()
        raise UnacceptableError("sent a compressed answer, though none was asked for.")
    stream = _Bounded(cast("httpx2.AsyncByteStream", response.stream))
    response.stream = stream
    if (streams := _leavable.get()) is not None:
        streams.append(stream)


@contextmanager
def leavable() -> Generator[list[_Bounded]]:
    """The streams of the responses inside, each with a way to end it from within.

    For a client whose generators do not close what they read: see `gemini`.
    """
    streams: list[_Bounded] = []
    _leavable.set(streams)
    try:
        yield streams
    finally:
        _leavable.set(None)
