"""Every call of a run is there with its steps, within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.tools import call_log
from desktop.tools.call_log import CallLog, LoggedCall
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import CallStep, Content, ToolCall, ToolResult

if TYPE_CHECKING:
    from desktop.values.tool_types import Step


@pytest.fixture
def executor() -> ToolExecutor:
    return ToolExecutor(ToolRegistry())


def step(
    executor: ToolExecutor, call: ToolCall, name: Step, result: ToolResult | None = None
) -> None:
    executor.stepped.send(CallStep(call, name, 0.5, result=result))


def whole(executor: ToolExecutor, output: str = "") -> None:
    call = ToolCall("a:b")
    step(executor, call, "started")
    content = (Content("image", data=output.encode()),)
    step(executor, call, "finished", ToolResult(success=True, content=content))


async def test_a_real_call_is_remembered_from_start_to_end(executor: ToolExecutor) -> None:
    calls = CallLog(executor)
    seen: list[tuple[int, bool]] = []
    calls.changed.connect(lambda one: seen.append((one.number, one.is_running)))
    await executor.run(ToolCall("no:tool", {"a": 1}, origin="agent"))
    (call,) = calls.calls.values()
    assert (call.call.arguments, call.call.origin) == ({"a": 1}, "agent")
    assert (call.outcome, call.is_running) == ("tool_not_found", False)
    assert [step.step for step in call.steps][:: len(call.steps) - 1] == ["started", "finished"]
    assert call.result is not None
    assert call.steps[-1].result is None
    assert (seen[0], seen[-1]) == ((1, True), (1, False))


def test_two_calls_at_once_keep_their_own_steps(executor: ToolExecutor) -> None:
    calls = CallLog(executor)
    one, two = ToolCall("a:one"), ToolCall("a:two")
    for call in (one, two):
        step(executor, call, "started")
    step(executor, two, "sent")
    step(executor, one, "finished", ToolResult(success=True))
    first, second = calls.calls.values()
    assert ([s.step for s in first.steps], first.outcome) == (["started", "finished"], "success")
    assert ([s.step for s in second.steps], second.is_running) == (["started", "sent"], True)


def test_old_calls_go_and_large_results_go_before_them(executor: ToolExecutor) -> None:
    calls = CallLog(executor, kept=5, kept_bytes=100)
    for _ in range(4):
        whole(executor, "x" * 40)
    assert [call.dropped for call in calls.calls.values()] == [True, True, False, False]
    assert [call.result is None for call in calls.calls.values()] == [True, True, False, False]
    whole(executor, "x" * 1000)
    assert [call.dropped for call in calls.calls.values()] == [True] * 4 + [False]
    for _ in range(3):
        whole(executor)
    assert list(calls.calls) == [4, 5, 6, 7, 8]


def test_structured_content_counts_among_what_results_take(executor: ToolExecutor) -> None:
    calls = CallLog(executor, kept_bytes=10_000)
    for _ in range(3):
        call = ToolCall("a:b")
        step(executor, call, "started")
        result = ToolResult(success=True, structured={"rows": ["x" * 100] * 60})
        step(executor, call, "finished", result)
    assert [call.dropped for call in calls.calls.values()] == [True, True, False]


def test_progress_without_end_is_counted_and_not_kept(
    executor: ToolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_log, "MAX_STEPS", 3)
    calls = CallLog(executor)
    call = ToolCall("a:b")
    step(executor, call, "started")
    for _ in range(10):
        step(executor, call, "progress")
    step(executor, call, "finished", ToolResult(success=True))
    assert [s.step for s in calls.calls[1].steps] == ["started", "progress", "progress", "finished"]
    assert calls.calls[1].left_out == 8


def test_running_calls_survive_a_clear(executor: ToolExecutor) -> None:
    calls = CallLog(executor)
    whole(executor)
    running = ToolCall("a:b")
    step(executor, running, "started")
    calls.clear()
    assert list(calls.calls) == [2]
    step(executor, running, "finished", ToolResult(success=True))
    assert calls.calls[2].outcome == "success"


def test_a_call_that_went_out_of_the_list_ends_all_the_same(executor: ToolExecutor) -> None:
    calls = CallLog(executor, kept=1)
    ended: list[LoggedCall] = []
    calls.changed.connect(lambda one: None if one.is_running else ended.append(one))
    running = ToolCall("a:b")
    step(executor, running, "started")
    whole(executor)
    step(executor, running, "finished", ToolResult(success=True))
    assert [one.number for one in ended] == [2, 1]


def test_two_sessions_may_call_by_the_same_id(executor: ToolExecutor) -> None:
    other = ToolExecutor(ToolRegistry())
    calls = CallLog(executor)
    calls.follow(other)
    for each, key in ((executor, "a:one"), (other, "a:two")):
        step(each, ToolCall(key, call_id="call_1"), "started")
    step(executor, ToolCall("a:one", call_id="call_1"), "finished", ToolResult(success=True))
    assert [(call.call.key, call.is_running) for call in calls.calls.values()] == [
        ("a:one", False),
        ("a:two", True),
    ]
