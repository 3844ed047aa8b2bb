"""Time limits that cost the loop one timer in all, not one a call.

A cancelled timer stays registered with Qt until it is due, so thousands of calls with a limit of
minutes would each leave one behind (measured: 20,000 entries). Must not know what is limited.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(order=True, slots=True)
class Limit:
    """A limit that can be renewed while it runs; `expired` once it has ended its block."""

    at: float
    order: int
    seconds: float = field(compare=False)
    scope: anyio.CancelScope = field(compare=False)
    renewed_at: float = field(compare=False, default=0.0)
    expired: bool = field(compare=False, default=False)
    done: bool = field(compare=False, default=False)

    def renew(self) -> None:
        """Start counting anew: something happened."""
        self.renewed_at = asyncio.get_running_loop().time()


class Deadlines:
    """Ends blocks that take too long; one timer is armed, for the limit that is due first."""

    def __init__(self) -> None:
        self._heap: list[Limit] = []
        self._order = itertools.count()
        self._timer: asyncio.Handle | None = None
        self._armed_for = 0.0

    @contextmanager
    def within(self, seconds: float) -> Iterator[Limit]:
        """Cancel the block after `seconds` without a `renew`; the block's end is silent.

        Look at `expired` afterwards. A cancellation from outside passes through.
        """
        loop = asyncio.get_running_loop()
        with anyio.CancelScope() as scope:
            limit = Limit(loop.time() + seconds, next(self._order), seconds, scope)
            heapq.heappush(self._heap, limit)
            self._arm(loop)
            try:
                yield limit
            finally:
                limit.done = True

    def _arm(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._heap and self._heap[0].done:
            heapq.heappop(self._heap)
        if not self._heap:
            return
        first = self._heap[0].at
        if self._timer is not None:
            if self._armed_for <= first:
                return
            self._timer.cancel()
        self._armed_for = first
        self._timer = loop.call_later(max(0.0, first - loop.time()), self._due)

    def _due(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        # Qt's timers count whole milliseconds and may come a little early.
        now = loop.time() + 0.001
        while self._heap and (self._heap[0].done or self._heap[0].at <= now):
            limit = heapq.heappop(self._heap)
            if limit.done:
                continue
            later = limit.renewed_at + limit.seconds
            if later > now:
                limit.at = later
                heapq.heappush(self._heap, limit)
            else:
                limit.expired = True
                limit.scope.cancel()
        self._arm(loop)
