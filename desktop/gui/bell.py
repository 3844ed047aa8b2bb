"""The first window's end of the socket at which a second start rings.

Takes one line, a fixed word and perhaps a text after it, answers, and hangs up. Knows no window.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 2.0
"""Seconds until a caller who says nothing is hung up on."""
LONGEST = 70_000
"""Bytes of a line; the longest install link that is read is shorter."""


class Bell(asyncio.Protocol):
    """One caller."""

    def __init__(self, ring: Callable[[str], object], expected: bytes, reply: bytes) -> None:
        """Args: ring: called with the text after the word, often none."""
        self._ring = ring
        self._expected = expected
        self._reply = reply
        self._heard = b""
        self._transport: asyncio.Transport | None = None
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._limit = asyncio.get_running_loop().call_later(LIMIT, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        if self._transport is None or self._transport.is_closing():
            return
        line, end, _ = self._heard.partition(b"\n")
        word, _, text = line.partition(b" ")
        if end and word == self._expected:
            self._transport.write(self._reply)
            self._ring(text.decode(errors="replace"))
        is_wrong = not line.startswith(self._expected[: len(line)])
        if end or is_wrong or len(self._heard) > LONGEST:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
