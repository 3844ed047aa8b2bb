"""A few servers start at a time; who only waits makes room."""

from __future__ import annotations

import asyncio
import os

from desktop.servers.gate import StartLimiter
from desktop.tasks import spawn


async def entered(gate: StartLimiter) -> bool:
    """Whether there is a place at once."""
    task = spawn(gate.enter(), "enter")
    await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    await asyncio.wait({task})
    return False


async def test_there_are_so_many_places_and_no_more() -> None:
    gate = StartLimiter(2)
    first = await gate.enter()
    await gate.enter()
    assert not await entered(gate)
    first.leave()
    first.leave()
    assert await entered(gate)
    assert not await entered(gate)


async def test_places_are_given_in_the_order_they_were_asked_for() -> None:
    gate = StartLimiter(1)
    order: list[int] = []

    async def start(number: int) -> None:
        place = await gate.enter()
        order.append(number)
        place.leave()

    held = await gate.enter()
    tasks = [spawn(start(number), str(number)) for number in range(5)]
    await asyncio.sleep(0)
    held.leave()
    await asyncio.wait(tasks)
    assert order == list(range(5))


async def test_a_cancelled_wait_takes_no_place() -> None:
    gate = StartLimiter(1)
    held = await gate.enter()
    waiting = spawn(gate.enter(), "waiting")
    await asyncio.sleep(0)
    held.leave()
    waiting.cancel()
    await asyncio.wait({waiting})
    assert await entered(gate)


async def test_a_server_that_does_nothing_makes_room() -> None:
    gate = StartLimiter(1)
    sleeper = await asyncio.create_subprocess_exec("sleep", "60")
    try:
        (await gate.enter()).watch(sleeper.pid)
        assert not await entered(gate)
        (await asyncio.wait_for(gate.enter(), 10)).leave()
    finally:
        sleeper.kill()
        await sleeper.wait()


async def test_a_server_without_a_process_or_one_that_is_gone_makes_room() -> None:
    gate = StartLimiter(1)
    (await gate.enter()).watch(None)
    place = await asyncio.wait_for(gate.enter(), 10)
    ended = await asyncio.create_subprocess_exec("true")
    await ended.wait()
    place.watch(ended.pid)
    (await asyncio.wait_for(gate.enter(), 10)).leave()


async def test_a_server_that_works_on_its_start_keeps_its_place() -> None:
    gate = StartLimiter(1)
    place = await gate.enter()
    place.watch(os.getpid())
    loop = asyncio.get_running_loop()
    end = loop.time() + 0.35
    while loop.time() < end:  # noqa: ASYNC110 - this process is the one that is to be busy
        await asyncio.sleep(0)
    assert not await entered(gate)
    place.leave()
    assert await entered(gate)
