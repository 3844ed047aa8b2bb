"""One way to run a tool: found, checked, run with a limit; every outcome is a told result.

A refusal becomes a result that a model can correct its call by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.tools.adapters import DefinedTool, wrap_unlisted_tool
from desktop.tools.executor import ToolExecutor, reject_denied, reject_invalid
from desktop.tools.registry import ToolRegistry
from desktop.tools.validation.rules import Rules
from desktop.values.tool_types import (
    ErrorCode,
    Progress,
    ToolCall,
    ToolDefinition,
    ToolResult,
    ValidationIssue,
)
from tests.live_servers import error_of
from tests.tools.executor_bench import Alone, Bench, Own

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.tools.adapters import Tool
    from desktop.values.tool_types import JsonObject, Origin
    from tests.conftest import ExpectedLogs


def test_all_errors_are_named_and_warnings_only_kept() -> None:
    issues = [
        ValidationIssue(("a",), "type", "must be text"),
        ValidationIssue(("b",), "rule", "is not in the schema", "warning"),
        ValidationIssue((), "rule", "'c' is required"),
    ]
    refusal = reject_invalid("s:t", issues)
    assert str(refusal) == (
        "The arguments do not fit s:t; nothing was sent:\n- a: must be text\n- 'c' is required"
    )
    assert (refusal.step, len(refusal.issues)) == ("refused", 3)


def test_a_denial_says_so_with_and_without_a_reason() -> None:
    refusal = reject_denied("s:t", "It may change files.")
    assert str(refusal).endswith("nothing was sent: It may change files.")
    assert str(reject_denied("s:t", "")).endswith("nothing was sent.")
    error = refusal.result.error
    assert error is not None
    assert (refusal.step, error.code) == ("denied", ErrorCode.DENIED)


async def test_a_call_runs_and_its_time_is_taken(bench: Bench) -> None:
    result = await bench.run("plain:add", a=1, b=2)
    assert (result.success, result.output) == (True, "3")
    assert result.execution_time > 0
    assert result.timestamp.tzinfo is not None
    assert (await bench.run("add", a=1, b=2)).success


async def test_a_tool_that_is_not_there_is_answered_with_near_names(bench: Bench) -> None:
    error = (await bench.run("plain:ad")).error
    assert error is not None
    assert (error.code, error.type) == (ErrorCode.NOT_FOUND, "ToolNotFoundError")
    assert "plain:add" in error.message


async def test_only_a_person_calls_a_tool_that_its_server_does_not_list(bench: Bench) -> None:
    asked: list[str] = []

    def find(key: str) -> Tool | None:
        asked.append(key)
        return wrap_unlisted_tool(bench.service, key)

    executor = ToolExecutor(ToolRegistry(), unlisted=find)
    arguments = {"message": "hi"}
    for call in (
        ToolCall("plain:echo", arguments),
        ToolCall("plain:echo", arguments, origin="agent", validate=False),
    ):
        assert error_of(await executor.run(call))[0] == ErrorCode.NOT_FOUND
    assert asked == []
    result = await executor.run(ToolCall("plain:echo", arguments, validate=False))
    assert (result.output, result.is_unchecked, asked) == ("hi", True, ["plain:echo"])
    for key in ("echo", "plain:", "other:echo"):
        assert error_of(await executor.run(ToolCall(key, validate=False)))[0] == ErrorCode.NOT_FOUND


async def test_wrong_arguments_are_not_sent(bench: Bench) -> None:
    code, message = error_of(await bench.run("plain:crash", code="not a number"))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert "nothing was sent" in message
    assert "code" in message
    assert bench.service.connection("plain").is_connected
    code, message = error_of(await bench.run("plain:add", a=1))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert "b" in message


async def test_checking_tells_what_is_wrong_and_sends_nothing(bench: Bench) -> None:
    assert bench.executor.check("plain:add", {"a": 1, "b": 2}).issues == ()
    issues = bench.executor.check("plain:add", {"a": "1", "b": 2}).issues
    assert [issue.path for issue in issues] == [("a",)]
    assert bench.executor.check("plain:nothing", {}).issues == ()
    assert bench.told == []


async def test_a_failing_tool_is_a_result(bench: Bench) -> None:
    result = await bench.run("plain:fail", message="no")
    assert error_of(result) == (ErrorCode.TOOL_ERROR, "no")


async def test_a_server_that_was_removed_meanwhile_is_unreachable(bench: Bench) -> None:
    bench.loader.close()
    await bench.service.remove_server("plain")
    error = (await bench.run("plain:add", a=1, b=2)).error
    assert error is not None
    assert (error.type, error.code) == ("ServerError", ErrorCode.UNREACHABLE)
    assert "No server is named 'plain'" in error.message


async def test_a_call_over_its_limit_is_a_result(bench: Bench) -> None:
    call = ToolCall("plain:slow", {"seconds": 60, "steps": 2}, timeout=0.1)
    assert error_of(await bench.executor.run(call))[0] == ErrorCode.TIMEOUT


async def test_progress_is_passed_on(bench: Bench) -> None:
    told: list[Progress] = []
    call = ToolCall("plain:slow", {"seconds": 0.02, "steps": 2})
    assert (await bench.executor.run(call, told.append)).success
    assert [one.progress for one in told] == [1, 2]


class Broken(DefinedTool):
    """A tool with a fault of its own, or with a schema that is none."""

    def __init__(self, schema: JsonObject) -> None:
        self.definition = ToolDefinition("own", "broken", input_schema=schema)

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        raise LookupError(f"lost {arguments}")


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": 7},
        {"$ref": "#/nowhere"},
        {"properties": []},
        {"pattern": "("},
        {"$ref": "http://127.0.0.1:1/x"},
        {"allOf": [{"$ref": "#"}]},
    ],
)
async def test_a_fault_in_a_tool_is_a_result_and_is_logged(
    bench: Bench, schema: JsonObject, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("call of own:broken failed")
    bench.registry.set_server("own", [Broken(schema)])
    code, _ = error_of(await bench.run("own:broken"))
    assert code in (ErrorCode.INTERNAL, ErrorCode.INVALID_ARGUMENTS)


@pytest.mark.parametrize("origin", ["person", "agent", "terminal"])
async def test_a_required_value_with_a_default_may_be_left_to_the_server(origin: Origin) -> None:
    alone = Alone(tool := Own())
    schema: Any = {"properties": {"n": {"type": "integer", "default": 7}}, "required": ["n"]}
    tool.definition = ToolDefinition("own", "tool", input_schema=schema)
    assert (await alone.executor.run(ToolCall("own:tool", {}, origin=origin))).success
    assert (tool.given, alone.step("validated").issues) == ([{}], ())  # sent as it was given


async def test_a_rule_is_asked_of_arguments_that_fit_and_can_stop_them() -> None:
    book = Rules()
    book.add("own:*", lambda a: [ValidationIssue(("n",), "rule", "is odd")] if a["n"] % 2 else [])
    alone = Alone(tool := Own(), rules=book)
    code, message = error_of(await alone.executor.run(ToolCall("own:tool", {"n": 3})))
    assert (code, "n: is odd" in message) == (ErrorCode.INVALID_ARGUMENTS, True)
    found = alone.executor.check("own:tool", {"n": 3}).issues
    assert [str(issue) for issue in found] == ["n: is odd"]
    assert alone.executor.check("own:tool", {"n": "x"}).issues[0].layer == "type"
    assert (await alone.executor.run(ToolCall("own:tool", {"n": 2}))).success
    assert tool.given == [{"n": 2}]


WANTED: JsonObject = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": {"type": "integer"}},
        "where": {"type": "object", "properties": {"x": {"type": "number"}}},
        "count": {"type": "integer", "maximum": 9},
        "is_new": {"type": "boolean"},
        "text": {"type": "string"},
    },
}


def wanting() -> tuple[Alone, Own]:
    alone = Alone(tool := Own())
    tool.definition = ToolDefinition("own", "tool", input_schema=WANTED)
    return alone, tool


@pytest.mark.parametrize("origin", ["agent", "client"])
@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"items": "[1, 2]"}, {"items": [1, 2]}),
        ({"where": ' {"x": 1.5}\n', "text": "{}"}, {"where": {"x": 1.5}, "text": "{}"}),
        ({"count": "7", "is_new": "true"}, {"count": 7, "is_new": True}),
    ],
)
async def test_json_in_a_text_of_a_model_is_read_where_it_fits_and_noted(
    given: dict[str, Any], sent: dict[str, Any], origin: Origin
) -> None:
    alone, tool = wanting()
    assert (await alone.executor.run(ToolCall("own:tool", given, origin=origin))).success
    assert tool.given == [sent]
    notes = alone.step("validated").issues
    read = {issue.path[0] for issue in notes if issue.code == "jsonText"}
    assert read == {name for name in given if given[name] != sent[name]}
    assert {(issue.severity, issue.layer) for issue in notes} == {("warning", "type")}


@pytest.mark.parametrize(
    "given",
    [
        {"items": '["a"]'},
        {"count": "12"},
        {"count": "NaN"},
        {"count": "seven"},
        {"items": '"[1]"'},
        {"items": "[1]", "count": "12"},
        {"text": 7},
    ],
)
async def test_json_in_a_text_that_does_not_fit_is_not_sent(given: dict[str, Any]) -> None:
    alone, tool = wanting()
    result = await alone.executor.run(ToolCall("own:tool", given, origin="agent"))
    assert error_of(result)[0] == ErrorCode.INVALID_ARGUMENTS
    assert tool.given == []


async def test_what_a_person_wrote_is_sent_as_it_is_or_not_at_all() -> None:
    alone, tool = wanting()
    assert not (await alone.executor.run(ToolCall("own:tool", {"items": "[1]"}))).success
    assert tool.given == []


async def test_a_tool_of_a_server_that_is_away_is_not_called_none() -> None:
    async def away(server: str) -> str:
        return "gone is not connected (failed)" if server == "gone" else ""

    executor = Alone(Own(), away=away).executor
    for key, code in (
        ("gone:tool", ErrorCode.UNREACHABLE),
        ("own:other", ErrorCode.NOT_FOUND),
        ("other:tool", ErrorCode.NOT_FOUND),
        ("tool-of-nobody", ErrorCode.NOT_FOUND),
    ):
        assert error_of(await executor.run(ToolCall(key, {})))[0] == code
    assert "gone is not connected" in error_of(await executor.run(ToolCall("gone:tool", {})))[1]


async def test_a_call_waits_for_a_server_that_is_being_started_again() -> None:
    registry, own = ToolRegistry(), Own()

    async def away(server: str) -> str:
        registry.set_server(server, [own])
        return ""

    result = await ToolExecutor(registry, away=away).run(ToolCall("own:tool", {"n": 1}))
    assert result.success
    assert own.given == [{"n": 1}]
