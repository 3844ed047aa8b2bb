"""Saved calls made of calls: expectations, names, and values that one call brought another."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.saved_calls.recorded_calls import MadeCall, expected_result, save_made_calls
from desktop.redaction.policy import PLACEHOLDER
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (ToolResult(True, "text"), {"contains": "text"}),
        (ToolResult(True, "x" * 20_000), {}),
        (ToolResult(True, f"it is {PLACEHOLDER}"), {}),
        (ToolResult(True, "", structured={"key": PLACEHOLDER}), {}),
        (ToolResult(True, "3", structured=[1]), {"equals": {"": [1]}}),
        (ToolResult(False, error=ToolError("E", "e", ErrorCode.TIMEOUT)), {"error": "timeout"}),
    ],
)
def test_a_result_says_what_could_be_expected(result: ToolResult, expected: Any) -> None:
    assert expected_result(result) == expected


def made(tool: str, arguments: dict[str, Any], structured: Any = None) -> MadeCall:
    return MadeCall(f"s:{tool}", arguments, ToolResult(True, "done", structured=structured))


def test_a_value_that_a_result_brought_becomes_a_variable() -> None:
    recorded = save_made_calls(
        [
            made("create", {"text": "milk and honey"}, {"id": 7, "note": {"key": "n-0000017"}}),
            made("read", {"noteId": 7, "count": 7}, {"text": "milk and honey"}),
            made("read", {"which": ["n-0000017"], "text": "milk and honey"}),
        ]
    )
    assert [call.name for call in recorded.calls] == ["create", "read", "read 2"]
    assert recorded.calls[1].arguments == {"noteId": "${{ create.id }}", "count": 7}
    assert recorded.calls[2].arguments == {
        "which": ["${{ create.note.key }}"],
        "text": "milk and honey",
    }
    assert recorded.variables == 2


def test_a_recorded_call_expects_the_types_of_its_result() -> None:
    value = {"id": 7, "rows": [{"x": 1.5}], "gone": None, "ok": True}
    expect = save_made_calls([made("t", {}, value)]).calls[0].expect
    assert expect.matches == {
        "type": "object",
        "required": ["id", "rows", "gone", "ok"],
        "properties": {
            "id": {"type": "integer"},
            "rows": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["x"],
                    "properties": {"x": {"type": "number"}},
                },
            },
            "gone": {},
            "ok": {"type": "boolean"},
        },
    }


def test_a_secret_is_taken_from_the_result_that_brought_it_or_left_out() -> None:
    recorded = save_made_calls(
        [
            made("sign_in", {"password": PLACEHOLDER}, {"token": PLACEHOLDER}),
            made("list", {"token": PLACEHOLDER}),
        ]
    )
    assert recorded.calls[0].arguments == {}
    assert recorded.left_out == ["sign_in: password"]
    assert recorded.calls[1].arguments == {"token": "${{ sign_in.token }}"}


def test_what_looks_like_a_placeholder_was_none() -> None:
    recorded = save_made_calls([made("t", {"text": "${{ a.b }}"})])
    assert recorded.calls[0].arguments == {"text": "$${{ a.b }}"}


def test_a_snapshot_is_expected_where_that_is_wanted_but_not_of_an_error() -> None:
    error = ToolResult(False, error=ToolError("E", "e", ErrorCode.TOOL_ERROR))
    calls = save_made_calls([made("t", {}), MadeCall("s:t", {}, error)], "snapshot").calls
    assert [call.expect.to_json() for call in calls] == [
        {"snapshot": True},
        {"error": "tool_error"},
    ]
