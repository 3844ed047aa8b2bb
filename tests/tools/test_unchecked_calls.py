"""What does not fit is sent where a person asks for it, and the result says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.tools.validation.rules import Rules
from desktop.values.tool_types import ErrorCode, ToolCall, ValidationIssue
from tests.live_servers import error_of
from tests.tools.executor_bench import Alone, Bench, Counted, Own

if TYPE_CHECKING:
    from desktop.values.tool_types import Origin


@pytest.mark.parametrize("origin", ["person", "terminal"])
async def test_what_does_not_fit_is_sent_on_purpose_and_the_result_says_so(origin: Origin) -> None:
    rules = Rules()
    rules.add("own:*", lambda _: [ValidationIssue((), "rule", "never")])
    alone = Alone(tool := Counted(), rules=rules)
    call = ToolCall("own:tool", {"n": "x"}, origin=origin, validate=False)
    result = await alone.executor.run(call)
    assert (result.success, result.is_unchecked) == (True, True)
    assert (tool.given, tool.validated) == ([{"n": "x"}], [])
    assert result.to_json()["unchecked"] is True
    assert alone.told == [
        "started", "found", "unchecked", "sent", "progress", "answered", "finished",
    ]  # fmt: skip
    assert alone.step("finished").result == result


async def test_a_call_that_was_checked_does_not_speak_of_it() -> None:
    result = await Alone(Own()).executor.run(ToolCall("own:tool", {"n": 1}))
    assert not result.is_unchecked
    assert "unchecked" not in result.to_json()


async def test_what_was_found_wrong_and_sent_anyway_is_told_with_its_step() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": "x"})
    call = ToolCall("own:tool", checked.arguments, validate=False)
    assert (await alone.executor.run(call, checked=checked)).success
    assert [issue.where for issue in alone.step("unchecked").issues] == ["n"]
    assert (len(tool.validated), tool.given) == (1, [{"n": "x"}])


async def test_an_agent_never_sends_what_does_not_fit() -> None:
    alone = Alone(tool := Own())
    call = ToolCall("own:tool", {"n": "x"}, origin="agent", validate=False)
    result = await alone.executor.run(call)
    assert error_of(result)[0] == ErrorCode.INVALID_ARGUMENTS
    assert (tool.given, result.is_unchecked) == ([], False)
    assert "unchecked" not in alone.told


async def test_a_server_sees_what_was_sent_unchecked_and_refuses_it_itself(bench: Bench) -> None:
    call = ToolCall("plain:fail", {"message": ["no", "text"]})
    assert error_of(await bench.executor.run(call))[0] == ErrorCode.INVALID_ARGUMENTS
    result = await bench.executor.run(replace(call, validate=False))
    assert error_of(result) == (ErrorCode.TOOL_ERROR, "['no', 'text']")
    assert result.is_unchecked
