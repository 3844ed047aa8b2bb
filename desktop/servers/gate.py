"""Lets a few servers start at a time, so that fifty do not freeze the window.

A place is held while a server works on its start, not while it only waits: a server that never
answers gives its place back after a moment. Must not know what a connection is.
"""

from __future__ import annotations

import asyncio

import psutil

from desktop.processes import tree

PLACES = 4
"""Servers that start at a time: measured 15 ms loop lag for 50 servers, 1160 ms without a limit."""
_LOOK = 0.025
"""Seconds between two looks at a start."""
_IDLE_LOOKS = 2
"""Looks in a row, without work seen, after which a start is taken to be waiting."""
_RESTS = (psutil.STATUS_SLEEPING, psutil.STATUS_IDLE, psutil.STATUS_ZOMBIE)


class StartLimiter:
    """Hands out places in the order they were asked for."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = asyncio.Semaphore(places)

    async def enter(self) -> StartSlot:
        """Wait for a place; whoever has it must `leave` it."""
        await self._places.acquire()
        return StartSlot(self._places)


class StartSlot:
    """One start in progress."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places = places
        self._process: psutil.Process | None = None
        self._used = 0.0
        self._idle = 0
        self._timer: asyncio.Handle | None = None
        self._left = False

    def watch(self, pid: int | None) -> None:
        """Leave by itself once the process `pid` no longer works; at once where there is none."""
        self._process = tree.find(pid) if pid is not None else None
        self._look_later()

    def leave(self) -> None:
        """Give the place to the next. Idempotent."""
        if self._left:
            return
        self._left = True
        if self._timer is not None:
            self._timer.cancel()
        self._places.release()

    def _look_later(self) -> None:
        if not self._left:
            self._timer = asyncio.get_running_loop().call_later(_LOOK, self._look)

    def _look(self) -> None:
        self._idle = 0 if self._works() else self._idle + 1
        if self._process is None or self._idle >= _IDLE_LOOKS:
            self.leave()
        else:
            self._look_later()

    def _works(self) -> bool:
        """Whether it runs, or has run since the last look as far as the CPU clock tells."""
        if self._process is None:
            return False
        try:
            times = self._process.cpu_times()
            rests = self._process.status() in _RESTS
        except psutil.Error:
            return False
        before, self._used = self._used, times.user + times.system
        return not rests or self._used > before
