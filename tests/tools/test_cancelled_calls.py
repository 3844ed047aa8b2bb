"""A call that is cancelled ends as a result that says so, and takes nothing else with it."""

from __future__ import annotations

import asyncio

import pytest

from desktop.base.tasks import spawn
from desktop.values.tool_types import Decision, ErrorCode, ToolCall, ToolError, ToolResult
from tests.live_servers import error_of, written
from tests.tools.executor_bench import Alone, Asked, Bench, Own


async def test_a_cancellation_passes_through_is_told_and_reaches_the_server(bench: Bench) -> None:
    began = asyncio.Event()
    call = ToolCall("plain:slow", {"seconds": 60, "steps": 600})
    running = spawn(bench.executor.run(call, lambda _: began.set()), "run")
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    _, result = bench.told
    assert isinstance(result, ToolResult)
    assert result.error == ToolError("CancelledError", "Cancelled.", ErrorCode.CANCELLED)
    assert result.execution_time > 0
    await written(bench.service.connection("plain"), "cancelled ")


async def test_a_call_is_cancelled_by_its_id_and_the_others_go_on(bench: Bench) -> None:
    began = asyncio.Event()
    slow = ToolCall("plain:slow", {"seconds": 60, "steps": 600}, call_id="slow")
    running = spawn(bench.executor.run(slow, lambda _: began.set()), "slow")
    await began.wait()
    quick = ToolCall("plain:slow", {"seconds": 0.02, "steps": 2})
    other = spawn(bench.executor.run(quick), "other")
    assert not bench.executor.cancel("another")
    assert bench.executor.cancel("slow")
    assert error_of(await running) == (ErrorCode.CANCELLED, "Cancelled.")
    assert (await other).success
    await written(bench.service.connection("plain"), "cancelled ")
    assert not bench.executor.cancel("slow")


async def test_a_call_cancelled_at_its_very_end_does_not_cancel_who_made_it() -> None:
    alone = Alone(Own())
    alone.executor.stepped.connect(
        lambda step: alone.executor.cancel("one") if step.step == "answered" else None
    )
    task = asyncio.current_task()
    assert task is not None
    assert (await alone.executor.run(ToolCall("own:tool", call_id="one"))).success
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert task.cancelling() == 0


async def test_a_call_is_cancelled_once_however_often_it_is_asked_for() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)

    async def call_and_go_on() -> str:
        result = await alone.executor.run(ToolCall("own:tool", call_id="one"))
        await asyncio.sleep(0)
        return error_of(result)[0]

    running = spawn(call_and_go_on(), "one")
    await held.wait()
    assert alone.executor.cancel("one")
    assert alone.executor.cancel("one")
    assert await running == ErrorCode.CANCELLED


async def test_a_cancelled_call_takes_back_no_wish_but_its_own() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)
    begun = asyncio.Event()

    async def clean_up_with_a_call() -> int:
        begun.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            await alone.executor.run(ToolCall("own:tool", call_id="one"))
        task = asyncio.current_task()
        return task.cancelling() if task is not None else -1

    running = spawn(clean_up_with_a_call(), "clean up")
    await begun.wait()
    running.cancel()
    await held.wait()
    alone.executor.cancel("one")
    assert await running == 1


async def test_whoever_cancels_the_caller_too_is_not_held_up_by_a_result() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)
    running = spawn(alone.executor.run(ToolCall("own:tool", call_id="one")), "one")
    await held.wait()
    alone.executor.cancel("one")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert alone.told[-1] == "finished"


async def test_an_unchecked_call_that_is_cancelled_says_so_too() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)
    call = ToolCall("own:tool", {"n": "x"}, "one", validate=False)
    running = spawn(alone.executor.run(call), "one")
    await held.wait()
    alone.executor.cancel("one")
    result = await running
    assert (error_of(result)[0], result.is_unchecked) == (ErrorCode.CANCELLED, True)


async def test_a_call_cancelled_while_a_person_is_asked_has_the_wait_and_no_time() -> None:
    class Silent(Asked):
        async def approve(self, *_: object, **__: object) -> Decision:
            alone.executor.cancel("one")
            return await asyncio.Event().wait() and Decision(True, {})

    alone = Alone(tool := Own(), approver=Silent())
    result = await alone.executor.run(ToolCall("own:tool", call_id="one"))
    assert error_of(result) == (ErrorCode.CANCELLED, "Cancelled; nothing was sent.")
    assert (result.execution_time, tool.given) == (0, [])
    assert result.approval_wait > 0
