"""What was checked is validated once, and the check counts for nothing but what it was of."""

from __future__ import annotations

from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.tools.validation.rules import Rules
from desktop.values.tool_types import ErrorCode, ToolCall, ToolDefinition, ValidationIssue
from tests.live_servers import error_of
from tests.tools.executor_bench import Alone, Asked, Counted, Own


async def test_what_was_checked_is_not_validated_again() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": 1})
    call = ToolCall("own:tool", checked.arguments)
    assert (await alone.executor.run(call, checked=checked)).success
    assert tool.validated == tool.given == [{"n": 1}]


async def test_what_was_checked_and_is_wrong_is_not_sent() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": "x"})
    call = ToolCall("own:tool", checked.arguments)
    code, message = error_of(await alone.executor.run(call, checked=checked))
    assert (code, "n: must be a whole number" in message) == (ErrorCode.INVALID_ARGUMENTS, True)
    assert (len(tool.validated), tool.given) == (1, [])


async def test_a_call_that_nobody_checked_is_validated() -> None:
    alone = Alone(tool := Counted())
    await alone.executor.run(ToolCall("own:tool", {"n": 1}, origin="agent"))
    await alone.executor.run(ToolCall("own:tool", text='{"n": 2}', origin="agent"))
    assert tool.validated == [{"n": 1}, {"n": 2}]


async def test_what_was_checked_says_nothing_of_other_arguments() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": 1})
    for call in (
        ToolCall("own:tool", {"n": "x"}),
        ToolCall("own:tool", checked.arguments, text='{"n": "x"}'),
    ):
        code, _ = error_of(await alone.executor.run(call, checked=checked))
        assert code == ErrorCode.INVALID_ARGUMENTS
    assert tool.given == []


async def test_what_was_checked_says_nothing_of_another_tool_of_that_name() -> None:
    registry = ToolRegistry()
    registry.set_server("own", [Own()])
    executor = ToolExecutor(registry)
    checked = executor.check("own:tool", {"n": 1})
    narrower = Counted()
    schema = {"properties": {"n": {"type": "string"}}}
    narrower.definition = ToolDefinition("own", "tool", input_schema=schema)
    registry.set_server("own", [narrower])
    result = await executor.run(ToolCall("own:tool", checked.arguments), checked=checked)
    assert error_of(result)[0] == ErrorCode.INVALID_ARGUMENTS
    assert narrower.given == []


async def test_what_was_checked_says_nothing_of_a_rule_that_came_later() -> None:
    rules = Rules()
    alone = Alone(tool := Counted(), rules=rules)
    checked = alone.executor.check("own:tool", {"n": 3})
    call = ToolCall("own:tool", checked.arguments)
    remove = rules.add("own:*", lambda _: [ValidationIssue(("n",), "rule", "is odd")])
    assert not (await alone.executor.run(call, checked=checked)).success
    refused = alone.executor.check("own:tool", {"n": 3})
    remove()
    call = ToolCall("own:tool", refused.arguments)
    assert (await alone.executor.run(call, checked=refused)).success
    assert tool.given == [{"n": 3}]


async def test_what_an_approver_changed_is_validated_although_it_was_checked() -> None:
    asked = Asked(instead={"n": "x"})
    alone = Alone(tool := Counted(), approver=asked)
    checked = alone.executor.check("own:tool", {"n": 1})
    call = ToolCall("own:tool", checked.arguments)
    code, _ = error_of(await alone.executor.run(call, checked=checked))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert (tool.validated, tool.given) == ([{"n": 1}, {"n": "x"}], [])
