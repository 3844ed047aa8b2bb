"""The pause before a server is tried again can be cut short; it ends when the computer wakes up."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.base.tasks import spawn
from desktop.servers import retry_pause
from desktop.servers.retry_pause import Pauses, RetryPause
from tests.patience import LIMIT

if TYPE_CHECKING:
    import pytest

HOUR = 3600.0


def test_each_pause_is_twice_as_long_as_the_one_before_up_to_the_longest() -> None:
    pauses = Pauses(first=0.5, first_slow=30, longest=300)
    assert [pauses.soon(attempt) for attempt in range(1, 6)] == [0.5, 1, 2, 4, 8]
    assert [pauses.slow(attempt) for attempt in range(1, 6)] == [30, 60, 120, 240, 300]
    assert pauses.slow(10_000) == 300


async def test_it_ends_by_itself() -> None:
    async with asyncio.timeout(LIMIT):
        await RetryPause().wait(0.001)


async def test_it_can_be_cut_short_before_and_meanwhile_and_only_once() -> None:
    pause = RetryPause()
    async with asyncio.timeout(LIMIT):
        pause.cut_short()
        await pause.wait(HOUR)
        waiting = spawn(pause.wait(HOUR), "pause")
        await asyncio.sleep(0)
        assert not waiting.done()
        pause.cut_short()
        await waiting


async def test_it_ends_when_the_computer_was_asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it sleeps the wall clock goes on and no task runs."""
    now = iter([1000.0, 1000.0 + HOUR])
    monkeypatch.setattr(retry_pause, "LOOK", 0.001)
    monkeypatch.setattr(retry_pause.time, "time", lambda: next(now, 1000.0 + HOUR))
    async with asyncio.timeout(LIMIT):
        await RetryPause().wait(HOUR)


async def test_a_clock_that_runs_as_it_should_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    monkeypatch.setattr(retry_pause, "LOOK", 0.001)
    monkeypatch.setattr(retry_pause.time, "time", lambda: looks.append(0.0) or 1000.0 + len(looks))
    pause = RetryPause()
    waiting = spawn(pause.wait(HOUR), "pause")
    async with asyncio.timeout(LIMIT):
        while len(looks) < 6:  # noqa: ASYNC110 - nothing tells of a look
            await asyncio.sleep(0)
    assert not waiting.done()
    pause.cut_short()
    await waiting
