"""What a tool gave back is held against its schema; nothing of it is lost, whatever the schema."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tool_types import ErrorCode, ToolResult, failed
from desktop.tools.output import check_output

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
    assert "has no structured content" in (await found(CITY, None))[0]
    assert await found({"type": ["object", "null"]}, None) == []


async def test_nothing_is_checked_without_a_schema_or_for_an_error() -> None:
    assert await check_output(None, ToolResult(True, structured={"n": "x"})) is None
    assert await check_output(CITY, failed("ToolError", "no", ErrorCode.TOOL_ERROR)) is None


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
        {"properties": {"n": {"pattern": r"\p{L}"}}},
        {"allOf": [{"$ref": "#"}]},
    ],
)
async def test_an_odd_schema_finds_no_error(schema: Any) -> None:
    issues = await check_output(schema, ToolResult(True, structured={"n": "x"}))
    assert issues is not None
    assert {issue.severity for issue in issues} <= {"warning"}
