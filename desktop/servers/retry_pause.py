"""The pause before a server is tried again: it ends early when somebody asks, and after a sleep.

A computer that wakes up should find its servers at once, not minutes later. No system is asked for
that: the wall clock goes on while a computer sleeps, so a short wait that took long tells. Must not
know what is tried again.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from msgspec import Struct

LOOK = 10.0
"""Seconds between two looks at the wall clock."""
SLEPT = 5.0
"""Seconds that a wait between two looks may take longer, before the computer was asleep."""
_MAX_DOUBLINGS: Final = 10


class Pauses(Struct, frozen=True):
    """Seconds before a server is tried again; each further wait is twice as long."""

    first: float = 0.5
    first_slow: float = 30.0
    """Before the first slow attempt."""
    longest: float = 300.0
    """At most, however long a server at a URL is away."""
    steady: float = 60.0
    """Of good connection, after which the count of attempts begins at one again."""

    def soon(self, attempt: int) -> float:
        """Before this quick attempt; the first is 1."""
        return self.first * 2 ** (attempt - 1)

    def slow(self, attempt: int) -> float:
        """Before this slow attempt; the first is 1."""
        return min(self.first_slow * 2 ** min(attempt - 1, _MAX_DOUBLINGS), self.longest)


class RetryPause:
    """One pause after the other; `cut_short` ends the one that is waited for, or the next."""

    def __init__(self) -> None:
        self._cut = asyncio.Event()

    def cut_short(self) -> None:
        self._cut.set()

    async def wait(self, seconds: float) -> None:
        """Wait `seconds`, or less: until it is cut short or the computer wakes up."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not self._cut.is_set() and (left := end - loop.time()) > 0:
            before, look = time.time(), min(left, LOOK)
            await self._wait_for_cut(look)
            if time.time() - before > look + SLEPT:
                break
        self._cut.clear()

    async def _wait_for_cut(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._cut.wait()
        except TimeoutError:
            return
