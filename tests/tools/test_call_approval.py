"""An approver is asked with what will be sent; what it denies or breaks is not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.values.tool_types import Decision, ErrorCode, ToolCall
from tests.live_servers import error_of
from tests.tools.executor_bench import Alone, Asked, Own

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs


async def test_an_approver_is_asked_with_what_will_be_sent() -> None:
    asked = Asked()
    alone = Alone(Own(), approver=asked)
    call = ToolCall("own:tool", {"n": 1}, origin="agent")
    assert (await alone.executor.run(call)).success
    assert asked.questions == [("own:tool", {"n": 1}, call.call_id, "agent")]
    assert alone.told[2:6] == ["validated", "asked", "approved", "sent"]


async def test_nobody_is_asked_about_arguments_that_do_not_fit() -> None:
    asked = Asked()
    await Alone(Own(), approver=asked).executor.run(ToolCall("own:tool", {"n": "x"}))
    assert asked.questions == []


async def test_a_denied_call_is_a_result_with_the_reason_and_is_not_sent() -> None:
    alone = Alone(tool := Own(), approver=Asked("Not on a Sunday.", allowed=False))
    code, message = error_of(await alone.executor.run(ToolCall("own:tool")))
    assert (code, "Not on a Sunday." in message) == (ErrorCode.DENIED, True)
    assert (tool.given, alone.told[-2:]) == ([], ["denied", "finished"])
    assert "Not on a Sunday." in alone.step("denied").detail


async def test_the_wait_for_an_approval_is_kept_apart_from_the_time_of_the_call() -> None:
    alone = Alone(Own(), approver=Asked())
    result = await alone.executor.run(ToolCall("own:tool", {"n": 1}))
    at = {step.step: step.elapsed for step in alone.steps}
    assert 0 < result.approval_wait <= at["approved"] - at["asked"]
    assert 0 < result.execution_time <= at["finished"] - at["approved"]
    assert result.to_json()["approval_wait"] == round(result.approval_wait, 6)


async def test_arguments_that_were_corrected_are_sent_and_told() -> None:
    alone = Alone(tool := Own(), approver=Asked(instead={"n": 2}))
    await alone.executor.run(ToolCall("own:tool", {"n": 1}))
    assert tool.given == [{"n": 2}]
    assert alone.told.count("validated") == 2
    assert alone.step("finished").call.arguments == {"n": 2}


@pytest.mark.parametrize("instead", [{"n": "x"}, [1]])
async def test_a_correction_that_does_not_fit_is_refused(instead: object) -> None:
    alone = Alone(tool := Own(), approver=Asked(instead=instead))  # type: ignore[arg-type]  # wrong
    code, _ = error_of(await alone.executor.run(ToolCall("own:tool")))
    assert (code, tool.given) == (ErrorCode.INVALID_ARGUMENTS, [])


async def test_an_approver_that_fails_lets_nothing_through(expected_logs: ExpectedLogs) -> None:
    class Failing(Asked):
        async def approve(self, *_: object, **__: object) -> Decision:
            raise LookupError("no window")

    expected_logs.expect("call of own:tool failed")
    alone = Alone(tool := Own(), approver=Failing())
    assert error_of(await alone.executor.run(ToolCall("own:tool"))) == (
        ErrorCode.INTERNAL,
        "no window",
    )
    assert tool.given == []
