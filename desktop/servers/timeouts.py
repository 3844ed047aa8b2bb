"""Time limits that cost the event loop one timer in all, instead of one a call.

qasync keeps a cancelled timer registered with Qt until it is due, so thousands of calls with limits
of minutes would each leave one behind (measured: 20,000 entries). An app has one scheduler for all
its servers, in the one loop that it runs. Must not know what is limited.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, cast

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import TracebackType

SWEEP = 100
"""Kept limits from which the ended ones are thrown out."""


class RenewableTimeout:
    """A block that is cancelled after `seconds` without a `renew`; its end is then silent.

    Look at `expired` afterwards. A cancellation from outside passes through. It cancels the task
    by hand, as `asyncio.timeout` does: an `anyio.CancelScope` takes a tenth of a whole call.
    """

    __slots__ = (
        "_cancelling",
        "_is_cancelled",
        "_pauses",
        "_renewed_at",
        "_running",
        "_scheduler",
        "_task",
        "at",
        "done",
        "expired",
        "seconds",
    )

    def __init__(
        self,
        scheduler: TimeoutScheduler,
        seconds: float,
        running: set[RenewableTimeout] | None = None,
    ) -> None:
        """Args: running: it is among these as long as its block runs."""
        self._scheduler = scheduler
        self._running = running
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._is_cancelled = False
        self._renewed_at = 0.0
        self._pauses = 0
        self.seconds = seconds
        self.at = 0.0
        self.done = False
        self.expired = False

    def renew(self) -> None:
        """Start counting anew: something happened."""
        self._renewed_at = asyncio.get_running_loop().time()

    def pause(self) -> None:
        """Do not count until `resume` was called as often."""
        self._pauses += 1

    def resume(self) -> None:
        """Start counting anew, unless something else pauses it, too."""
        self._pauses -= 1
        self.renew()

    def fall_due(self, now: float) -> bool:
        """End the block, or move `at` when it was renewed since; returns whether it ended."""
        self.at = (now if self._pauses else self._renewed_at) + self.seconds
        if self.at > now:
            return False
        self.expired = True
        if self._task is not None:
            # Not at once: asked by the task itself, behind its last wait, it would end the caller.
            self._task.get_loop().call_soon(self._cancel)
        return True

    def _cancel(self) -> None:
        if self._task is not None:  # the block has not ended meanwhile
            self._is_cancelled = True
            self._task.cancel()

    def __enter__(self) -> Self:
        self._task = task = cast("asyncio.Task[object]", asyncio.current_task())
        self._cancelling = task.cancelling()
        self._renewed_at = task.get_loop().time()
        self.at = self._renewed_at + self.seconds
        self._scheduler.add(self)
        if self._running is not None:
            self._running.add(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool:
        self.done = True
        if self._running is not None:
            self._running.discard(self)
        task, self._task = self._task, None
        if task is None or not self._is_cancelled:
            return False
        # Another cancellation that came as well is passed on.
        is_ours_alone = task.uncancel() <= self._cancelling
        return is_ours_alone and exc_type is asyncio.CancelledError


class TimeoutScheduler:
    """Ends blocks that take too long; one timer is armed, for the limit that is due first."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, RenewableTimeout]] = []
        self._order = itertools.count()
        self._timer: asyncio.Handle | None = None
        self._armed_for = 0.0
        self._sweep_at = SWEEP

    @property
    def waiting(self) -> int:
        """Limits that are kept, ended ones included: few more than there are blocks running."""
        return len(self._heap)

    def within(self, seconds: float) -> RenewableTimeout:
        """A block, for `with`, that may take `seconds`."""
        return RenewableTimeout(self, seconds)

    def close(self) -> None:
        """Disarm the timer, so that it does not hold the loop; no block may be running any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._heap.clear()

    def add(self, limit: RenewableTimeout) -> None:
        """Watch a limit from now on; the limit calls this itself."""
        if len(self._heap) >= self._sweep_at:
            self._heap = [entry for entry in self._heap if not entry[2].done]
            heapq.heapify(self._heap)
            self._sweep_at = max(SWEEP, 2 * len(self._heap))
        heapq.heappush(self._heap, (limit.at, next(self._order), limit))
        self._arm()

    def _arm(self) -> None:
        while self._heap and self._heap[0][2].done:
            heapq.heappop(self._heap)
        if not self._heap:
            return
        loop = asyncio.get_running_loop()
        first = self._heap[0][0]
        if self._timer is not None:
            if self._armed_for <= first:
                return
            self._timer.cancel()
        self._armed_for = first
        self._timer = loop.call_later(max(0.0, first - loop.time()), self._due)

    def _due(self) -> None:
        self._timer = None
        # Qt's timers count whole milliseconds and may come a little early.
        now = asyncio.get_running_loop().time() + 0.001
        while self._heap and self._heap[0][0] <= now:
            _, order, limit = heapq.heappop(self._heap)
            if not limit.done and not limit.fall_due(now):
                heapq.heappush(self._heap, (limit.at, order, limit))
        self._arm()


class SessionTimeouts:
    """The limits of one session's calls, which all stand still while a person is asked."""

    def __init__(self, scheduler: TimeoutScheduler) -> None:
        self._scheduler = scheduler
        self._running: set[RenewableTimeout] = set()

    def within(self, seconds: float) -> RenewableTimeout:
        """A block, for `with`, that may take `seconds` of the time that counts."""
        return RenewableTimeout(self._scheduler, seconds, self._running)

    @contextmanager
    def paused(self) -> Generator[None]:
        """A block in which the limits that are running now do not count.

        Not those of later calls: a request belongs to a call that was made before it.
        """
        limits = tuple(self._running)
        for limit in limits:
            limit.pause()
        try:
            yield
        finally:
            for limit in limits:
                limit.resume()
