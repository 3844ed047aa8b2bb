import json
from datetime import UTC, datetime

from desktop.tools.result import Content, ErrorCode, ToolError, ToolResult

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
