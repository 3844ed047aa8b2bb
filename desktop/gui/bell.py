"""The first window's end of the socket at which a second start rings.

Takes one line, a fixed word, a key where there is one and perhaps a text, answers, and hangs up.
Knows no window.
"""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 2.0
"""Seconds until a caller who says nothing is hung up on."""
LONGEST = 70_000
"""Bytes of a line; the longest install link that is read is shorter."""


class Bell(asyncio.Protocol):
    """One caller."""

    def __init__(
        self, ring: Callable[[str], object], expected: bytes, reply: bytes, key: bytes = b""
    ) -> None:
        """Args: ring: called with the text at the end, often none."""
        self._ring = ring
        self._expected = expected
        self._reply = reply
        self._key = key
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
        if end and word == self._expected and (text := self._after_key(text)) is not None:
            self._transport.write(self._reply)
            self._ring(text.decode(errors="replace"))
        is_wrong = not line.startswith(self._expected[: len(line)])
        if end or is_wrong or len(self._heard) > LONGEST:
            self._transport.close()

    def _after_key(self, text: bytes) -> bytes | None:
        """What follows the key; None where it is wrong, which takes as long however much of it is.

        Compared once all of it is there: who was hung up on earlier would learn it byte by byte.
        """
        if not self._key:
            return text
        key, _, rest = text.partition(b" ")
        return rest if compare_digest(key, self._key) else None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
