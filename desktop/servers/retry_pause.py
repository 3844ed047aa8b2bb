"""The pause before a server is tried again: it ends early when somebody asks, and after a sleep.

A computer that wakes up should find its servers at once, not minutes later. No system is asked for
that: the wall clock goes on while a computer sleeps, so a short wait that took long tells. Must not
know what is tried again.
"""

from __future__ import annotations

import asyncio
import time

LOOK = 10.0
"""Seconds between two looks at the wall clock."""
SLEPT = 5.0
"""Seconds that a wait between two looks may take longer, before the computer was asleep."""


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
