"""The limits that count where nobody says others.

The time runs, and stands still while a person is asked.
"""

from __future__ import annotations

import asyncio

import pytest

from desktop.features.chat.agent.limits import PausableTimeout


async def test_the_time_runs_out() -> None:
    clock = PausableTimeout(0.01)
    with pytest.raises(TimeoutError):
        async with clock.running():
            await asyncio.Event().wait()
    assert clock.has_run_out


async def test_another_timeout_within_is_not_its_own() -> None:
    clock = PausableTimeout(60)
    with pytest.raises(TimeoutError):
        async with clock.running(), asyncio.timeout(0):
            await asyncio.Event().wait()
    assert not clock.has_run_out


async def test_while_somebody_is_asked_it_stands_still() -> None:
    clock = PausableTimeout(0.3)
    later = asyncio.Event()

    async def work() -> None:
        async with clock.running():
            with clock.paused(), clock.paused():
                asyncio.get_running_loop().call_later(0.4, later.set)
                await later.wait()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await work()
    assert later.is_set()


def test_before_it_runs_a_pause_is_nothing() -> None:
    async def pause() -> None:
        with PausableTimeout(1).paused():
            pass

    asyncio.run(pause())
