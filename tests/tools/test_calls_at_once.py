"""Calls beyond what a server takes at once wait in order, and can be cancelled there."""

from __future__ import annotations

import asyncio

import pytest

from desktop.base.tasks import spawn
from desktop.values.tool_types import ErrorCode, ToolCall
from tests.live_servers import error_of, until
from tests.tools.executor_bench import Alone, Own


async def test_calls_beyond_what_a_server_takes_at_once_wait_in_order() -> None:
    alone = Alone(tool := Own(), at_once=2)
    tool.holds = True
    calls = [
        spawn(alone.executor.run(ToolCall("own:tool", {"n": n})), f"call {n}") for n in range(5)
    ]
    for done in range(5):
        await until(tool.held, lambda count=done: len(tool.waiting) > count)
        tool.waiting[done].set()
    await asyncio.gather(*calls)
    assert [given["n"] for given in tool.given] == [0, 1, 2, 3, 4]
    assert alone.told.count("waiting") == 3
    active = most = 0
    for step in alone.told:
        active += (step == "sent") - (step == "answered")
        most = max(most, active)
    assert most == 2


async def test_a_call_that_waits_its_turn_is_cancelled_by_its_id() -> None:
    alone = Alone(tool := Own(), at_once=1)
    tool.holds = True
    waits = asyncio.Event()
    alone.executor.stepped.connect(lambda step: waits.set() if step.step == "waiting" else None)
    first = spawn(alone.executor.run(ToolCall("own:tool", {"n": 1})), "first")
    second = spawn(alone.executor.run(ToolCall("own:tool", {"n": 2}, "two")), "second")
    await waits.wait()
    assert alone.executor.cancel("two")
    result = await second
    assert error_of(result) == (ErrorCode.CANCELLED, "Cancelled; nothing was sent.")
    assert result.execution_time == 0
    tool.holds = False
    tool.waiting[0].set()
    assert (await first).success
    assert [given["n"] for given in tool.given] == [1]
    ends = [step.result for step in alone.steps if step.step == "finished"]
    assert [end is not None and end.success for end in ends] == [False, True]


async def test_a_call_that_waits_can_be_cancelled_and_leaves_its_place() -> None:
    alone = Alone(tool := Own(), at_once=1)
    tool.holds = True
    waits = asyncio.Event()
    alone.executor.stepped.connect(lambda step: waits.set() if step.step == "waiting" else None)
    first = spawn(alone.executor.run(ToolCall("own:tool", {"n": 1})), "first")
    second = spawn(alone.executor.run(ToolCall("own:tool", {"n": 2})), "second")
    await waits.wait()
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    tool.holds = False
    tool.waiting[0].set()
    assert (await first).success
    assert (await alone.executor.run(ToolCall("own:tool", {"n": 3}))).success
    assert [given["n"] for given in tool.given] == [1, 3]
