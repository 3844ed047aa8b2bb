"""What a tool gave back is held against its schema; nothing of it is lost, whatever the schema.

Large values are checked beside the loop, small ones at once.
"""

from __future__ import annotations

import json
import math
import threading
from typing import Any

import pytest

from desktop.tools.executor import LARGE, check_output, is_large, run_off_loop_if_large
from desktop.values.tool_types import ErrorCode, ToolCall, ToolError, ToolResult, failed
from tests.tools.executor_bench import Alone, Bench, Own

CITY = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}


async def found(schema: Any, structured: Any) -> list[str]:
    issues = await check_output(schema, ToolResult(True, structured=structured))
    assert issues is not None
    return [str(issue) for issue in issues]


async def test_output_that_fits_has_no_findings() -> None:
    assert await found(CITY, {"n": 1.5, "more than declared": True}) == []


async def test_what_breaks_the_schema_is_named_with_its_place() -> None:
    assert await found(CITY, {"n": "x"}) == ["n: must be a number, is text"]
    assert await found(CITY, {}) == ["n: 'n' is required"]


async def test_structured_content_that_is_missing_is_a_finding() -> None:
    assert await found(CITY, None) == [
        "has no structured content, although the tool declares an output schema"
    ]
    assert await found({"type": ["object", "null"]}, None) == []


async def test_nothing_is_checked_without_a_schema_or_for_an_error() -> None:
    assert await check_output(None, ToolResult(True, structured={"n": "x"})) is None
    assert await check_output(CITY, failed("ToolError", "no", ErrorCode.TOOL_ERROR)) is None


async def test_what_only_concerns_whoever_fills_in_is_no_misfit_of_a_result() -> None:
    schema = {"type": "object", "properties": {"old": {"deprecated": True}}}
    assert await check_output(schema, ToolResult(True, structured={"old": 1})) == ()


async def test_a_large_output_is_checked_too() -> None:
    rows = {"rows": [{"n": n} for n in range(3_000)] + [{"n": "x"}]}
    assert await found({"properties": {"rows": {"items": CITY}}}, rows) == [
        "rows[3000].n: must be a number, is text"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        5,
        [],
        {"type": 7},
        {"$ref": "http://127.0.0.1:1/x"},
        {"$ref": "#/nowhere"},
        {"properties": {"n": {"pattern": "(?R)"}}},
        {"allOf": [{"$ref": "#"}]},
    ],
)
async def test_an_odd_schema_finds_no_error(schema: Any) -> None:
    issues = await check_output(schema, ToolResult(True, structured={"n": "x"}))
    assert issues is not None
    assert {issue.severity for issue in issues} <= {"warning"}


async def test_a_result_without_what_its_schema_requires_is_told_even_if_it_has_a_default() -> None:
    schema: Any = {"properties": {"n": {"type": "integer", "default": 7}}, "required": ["n"]}
    assert await found(schema, {}) == ["n: 'n' is required"]


def _thread(_: object) -> threading.Thread:
    return threading.current_thread()


def test_the_number_of_values_counts_and_not_their_length() -> None:
    assert not is_large({"text": "x" * 5_000_000})
    assert not is_large([1] * (LARGE - 1))
    assert is_large([1] * LARGE)
    assert is_large({str(n): n for n in range(LARGE)})
    assert is_large({"rows": [{"a": n, "b": [n]} for n in range(LARGE)]})


async def test_only_a_large_value_goes_to_a_thread() -> None:
    here = threading.current_thread()
    assert await run_off_loop_if_large(_thread, {"a": 1}) is here
    assert await run_off_loop_if_large(_thread, list(range(LARGE))) is not here


async def test_output_that_breaks_its_schema_is_a_success_with_a_finding(bench: Bench) -> None:
    result = await bench.run("plain:broken_structured")
    assert (result.success, result.structured["degrees"]) == (True, "warm")
    assert [str(issue) for issue in result.output_issues or ()] == [
        "degrees: must be a number, is text"
    ]
    assert (await bench.run("plain:structured")).output_issues == ()
    assert (await bench.run("plain:echo", message="x")).output_issues is None


async def test_an_error_of_the_tool_is_not_held_against_its_output_schema() -> None:
    error = ToolError("ToolError", "no", ErrorCode.TOOL_ERROR)
    tool = Own(output_schema={"type": "object"}, success=False, error=error)
    alone = Alone(tool)
    assert (await alone.executor.run(ToolCall("own:tool"))).output_issues is None
    assert "checked" not in alone.told


NUMBERS = {"type": "object", "properties": {"n": {"type": ["number", "null"]}}}
ODD = "NaN and Infinity are not JSON: null stands in their place"


@pytest.mark.parametrize(
    ("structured", "kept", "said"),
    [
        ({"n": math.nan}, {"n": None}, f"n: {ODD} (1)"),
        ({"n": 1, "rows": [[1.5, math.inf], [-math.inf]]}, None, f"rows[0][1]: {ODD} (2)"),
        ({"rows": [{"n": 1.0}] * 2_000 + [{"n": math.nan}]}, None, f"rows[2000].n: {ODD} (1)"),
    ],
    ids=["one", "two in lists", "in a large value"],
)
@pytest.mark.parametrize("schema", [NUMBERS, None], ids=["schema", "no schema"])
async def test_numbers_that_json_has_not_become_null_and_are_told_once(
    structured: Any, kept: Any, said: str, schema: Any
) -> None:
    alone = Alone(Own(output_schema=schema, structured=structured))
    result = await alone.executor.run(ToolCall("own:tool"))
    assert result.success
    json.dumps(result.structured, allow_nan=False)
    assert kept in (None, result.structured)
    assert [str(issue) for issue in result.output_issues or ()] == [said]
    assert [issue.severity for issue in result.output_issues or ()] == ["warning"]


async def test_a_result_whose_numbers_are_json_is_left_as_it_is() -> None:
    structured = {"n": 1.5, "rows": [1e308, -0.0]}
    alone = Alone(Own(structured=structured))
    result = await alone.executor.run(ToolCall("own:tool"))
    assert result.structured is structured
    assert result.output_issues is None
