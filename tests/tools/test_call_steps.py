"""Steps are told to who listens, with the call as it is by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.signals import Signal
from desktop.tools.executor import CallProgressReporter
from desktop.values.tool_types import Progress, ToolCall
from tests.tools.executor_bench import Alone, Bench, Own

if TYPE_CHECKING:
    from desktop.values.tool_types import CallStep
    from tests.conftest import ExpectedLogs


def test_steps_are_told_with_the_call_as_it_is_by_then() -> None:
    stepped: Signal[[CallStep]] = Signal()
    steps = CallProgressReporter(ToolCall("a:b"), stepped)
    steps.send("started")  # nobody listens yet
    told: list[CallStep] = []
    stepped.connect(told.append)
    steps.call = ToolCall("a:b", {"n": 1})
    steps.send("sent")
    steps.send_progress(Progress(2, None, "reading"))
    assert [(step.step, step.detail) for step in told] == [("sent", ""), ("progress", "2  reading")]
    assert told[0].call.arguments == {"n": 1}


async def test_every_step_of_a_call_is_told_in_order(bench: Bench) -> None:
    steps: list[CallStep] = []
    bench.executor.stepped.connect(steps.append)
    result = await bench.run("structured")
    assert [step.step for step in steps] == [
        "started", "found", "validated", "sent", "answered", "checked", "finished",
    ]  # fmt: skip
    assert (steps[0].elapsed, steps[-1].result) == (0.0, result)
    assert {step.call.key for step in steps} == {"structured"}
    assert steps[1].detail == "plain:structured"
    times = [step.elapsed for step in steps]
    assert times == sorted(times)
    assert 0 < result.execution_time <= times[-1]


async def test_progress_is_a_step_that_says_how_far() -> None:
    alone = Alone(Own())
    await alone.executor.run(ToolCall("own:tool"))
    assert alone.step("progress").detail == "1 of 2  half"


async def test_a_warning_does_not_stop_a_call_and_comes_with_its_step() -> None:
    alone = Alone(Own())
    assert (await alone.executor.run(ToolCall("own:tool", {"nn": 1}))).success
    assert [issue.code for issue in alone.step("validated").issues] == ["undeclared"]


async def test_a_refusal_tells_its_issues_and_the_reason() -> None:
    alone = Alone(Own())
    await alone.executor.run(ToolCall("own:tool", {"n": "x"}))
    refused = alone.step("refused")
    assert [issue.where for issue in refused.issues] == ["n"]
    assert "nothing was sent" in refused.detail


async def test_whoever_fails_at_a_step_does_not_fail_the_call(expected_logs: ExpectedLogs) -> None:
    def fail(_: CallStep) -> None:
        raise LookupError

    expected_logs.expect("receiver .* failed")
    alone = Alone(Own())
    alone.executor.stepped.connect(fail)
    assert (await alone.executor.run(ToolCall("own:tool"))).success
    assert alone.told[-1] == "finished"
