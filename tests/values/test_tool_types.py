from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from desktop.values.tool_types import (
    Content,
    ErrorCode,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolResult,
    ValidationIssue,
    join_json_path,
    json_path,
)


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ((), ""),
        (("city",), "city"),
        (("items", 0, "name"), "items[0].name"),
        ((0, 1), "[0][1]"),
        ((1, "a.b", ""), '[1]["a.b"][""]'),
        (("a", "größe"), "a.größe"),
    ],
)
def test_a_path_reads_as_a_person_writes_it(path: tuple[str | int, ...], where: str) -> None:
    assert json_path(path) == where
    assert ValidationIssue(path, "type", "must be a string").where == where
    assert not path or join_json_path(json_path(path[:-1]), path[-1]) == where


def test_an_issue_reads_as_its_place_and_what_is_wrong() -> None:
    assert str(ValidationIssue(("city",), "type", "must be a string")) == "city: must be a string"


def test_an_issue_of_the_whole_names_no_place() -> None:
    assert str(ValidationIssue((), "rule", "give one of both")) == "give one of both"


def test_an_issue_is_printed_with_its_code_and_without_values() -> None:
    issue = ValidationIssue(("a", 0), "range", "must be at least 3", code="minimum")
    assert issue.to_json() == {
        "path": ["a", 0],
        "layer": "range",
        "severity": "error",
        "code": "minimum",
        "message": "must be at least 3",
    }


MOMENT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def test_a_success_carries_its_data_and_no_error() -> None:
    result = ToolResult(
        True,
        "hello",
        content=(Content("text", "hello"),),
        structured={"greeting": "hello"},
        execution_time=0.12345678,
        timestamp=MOMENT,
    )
    assert not result.is_error
    assert result.to_json() == {
        "success": True,
        "data": {
            "output": "hello",
            "content": [{"type": "text", "text": "hello"}],
            "structuredContent": {"greeting": "hello"},
        },
        "error": None,
        "execution_time": 0.123457,
        "timestamp": "2026-11-20T12:00:00+00:00",
    }


def test_a_call_that_never_reached_its_tool_has_an_error_and_no_data() -> None:
    error = ToolError("ServerTimeoutError", "No answer within 5 s.", ErrorCode.TIMEOUT)
    document = ToolResult(False, error=error).to_json()
    assert document["data"] is None
    assert json.loads(json.dumps(document))["error"] == {
        "type": "ServerTimeoutError",
        "message": "No answer within 5 s.",
        "code": "timeout",
    }


def test_what_a_tool_said_of_its_own_failure_is_kept() -> None:
    error = ToolError("ToolError", "no such file", ErrorCode.TOOL_ERROR)
    content = (Content("text", "no such file"),)
    document = ToolResult(False, "no such file", error, content).to_json()
    assert document["data"]["content"] == [{"type": "text", "text": "no such file"}]


def test_media_is_printed_as_its_size() -> None:
    image = Content("image", data=b"\x89PNG", mime="image/png")
    document = ToolResult(True, content=(image,)).to_json()
    assert document["data"]["content"] == [{"type": "image", "mimeType": "image/png", "bytes": 4}]


def test_a_result_knows_when_it_came_in_utc() -> None:
    assert ToolResult(True).timestamp.tzinfo is UTC


def test_every_call_has_an_id_of_its_own() -> None:
    assert ToolCall("files:read").call_id != ToolCall("files:read").call_id


def test_a_tool_is_known_by_its_server_and_name() -> None:
    assert ToolDefinition("files", "fs:read").key == "files:fs:read"


def test_a_person_reads_the_title_or_else_the_name() -> None:
    assert ToolDefinition("files", "read", title="Read a file").label == "Read a file"
    assert ToolDefinition("files", "read").label == "read"
