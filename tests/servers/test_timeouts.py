"""Limits end what takes too long, with one timer for all of them."""

from __future__ import annotations

import asyncio

import pytest

from desktop.base.tasks import spawn
from desktop.servers.timeouts import SessionTimeouts, TimeoutScheduler


async def test_a_block_within_its_limit_ends_as_it_would() -> None:
    with TimeoutScheduler().within(10) as limit:
        await asyncio.sleep(0)
    assert not limit.expired


async def test_a_block_that_takes_too_long_ends_silently_and_is_marked() -> None:
    after = False
    with TimeoutScheduler().within(0.01) as limit:
        await asyncio.Event().wait()
        after = True
    assert limit.expired
    assert not after


async def test_a_renewed_limit_counts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that the test turns."""
    now = 1000.0
    with monkeypatch.context() as patch:
        patch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        with TimeoutScheduler().within(10) as limit:
            now = 1008.0
            limit.renew()
            assert not limit.fall_due(1017.0)
            assert not limit.expired
            assert limit.fall_due(1018.0)
    assert limit.expired


async def test_limits_end_in_their_own_order() -> None:
    deadlines = TimeoutScheduler()
    ended: list[float] = []

    async def wait(seconds: float) -> None:
        with deadlines.within(seconds):
            await asyncio.Event().wait()
        ended.append(seconds)

    await asyncio.gather(*(wait(seconds) for seconds in (0.09, 0.01, 0.05)))
    assert ended == [0.01, 0.05, 0.09]


async def test_a_cancellation_from_outside_passes_through() -> None:
    inside = asyncio.Event()

    async def wait() -> None:
        with TimeoutScheduler().within(30):
            inside.set()
            await asyncio.Event().wait()

    task = spawn(wait(), "wait")
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancellation_that_comes_with_the_end_of_the_limit_passes_through() -> None:
    limit = TimeoutScheduler().within(30)

    async def wait() -> None:
        with limit:
            await asyncio.Event().wait()

    task = spawn(wait(), "wait")
    await asyncio.sleep(0)
    assert limit.fall_due(limit.at)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_block_that_ends_just_then_is_not_cancelled_any_more() -> None:
    limit, ended = TimeoutScheduler().within(30), asyncio.Event()
    with limit:
        asyncio.get_running_loop().call_soon(ended.set)
        await ended.wait()
        assert limit.fall_due(limit.at)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task = asyncio.current_task()
    assert task is not None
    assert (limit.expired, task.cancelling()) == (True, 0)


async def test_an_error_in_the_block_passes_through() -> None:
    with pytest.raises(LookupError), TimeoutScheduler().within(30):
        raise LookupError


async def test_a_thousand_limits_one_after_the_other_keep_one_timer() -> None:
    deadlines = TimeoutScheduler()
    for _ in range(1000):
        with deadlines.within(60):
            await asyncio.sleep(0)
    assert deadlines.waiting <= 1


async def test_a_closed_scheduler_leaves_no_timer_and_can_be_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []
    call_at = loop.call_at

    def record(*args: object, **kwargs: object) -> asyncio.TimerHandle:
        timers.append(call_at(*args, **kwargs))  # type: ignore[arg-type]  # passed on as it came
        return timers[-1]

    monkeypatch.setattr(loop, "call_at", record)
    scheduler = TimeoutScheduler()
    with scheduler.within(60):
        await asyncio.sleep(0)
    scheduler.close()
    assert [timer.cancelled() for timer in timers] == [True]
    with scheduler.within(0.01) as limit:
        await asyncio.Event().wait()
    assert limit.expired


async def test_limits_that_ended_behind_a_long_one_are_forgotten() -> None:
    deadlines = TimeoutScheduler()
    with deadlines.within(60):
        for _ in range(1000):
            with deadlines.within(90):
                await asyncio.sleep(0)
        assert deadlines.waiting < 200


async def test_a_session_can_let_the_limits_that_run_stand_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that the test turns."""
    now = 1000.0
    session = SessionTimeouts(TimeoutScheduler())
    limit, later = session.within(10), session.within(10)
    with monkeypatch.context() as patch:
        patch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        with limit:
            with session.paused(), session.paused():
                with later:
                    assert later.fall_due(1010.0)
                now = 1100.0
                assert not limit.fall_due(1100.0)
            assert not limit.fall_due(1109.0)
            assert limit.fall_due(1110.0)
    assert limit.expired
    assert later.expired
