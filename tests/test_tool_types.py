from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from desktop.tool_types import (
    Approver,
    CallStep,
    Content,
    Decision,
    ErrorCode,
    JsonObject,
    Progress,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolResult,
    ValidationIssue,
    join_json_path,
    json_path,
)

if TYPE_CHECKING:
    from desktop.tool_types import Origin


class ReadsOnly:
    """What a policy looks like: no dialog, no waiting."""

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        allowed = origin == "person" or definition.annotations.read_only is True
        return Decision(allowed, arguments, "" if allowed else f"{definition.key} may change data.")


async def test_a_policy_answers_with_the_arguments_to_send_or_a_reason() -> None:
    policy: Approver = ReadsOnly()
    tool = ToolDefinition("files", "delete")
    yes = await policy.approve(tool, {"path": "a"}, call_id="1", origin="person")
    no = await policy.approve(tool, {"path": "a"}, call_id="2", origin="agent")
    assert yes == Decision(True, {"path": "a"})
    assert (no.allowed, no.reason) == (False, "files:delete may change data.")


def test_a_step_says_which_call_and_when_and_has_no_result_before_the_end() -> None:
    call = ToolCall("a:b")
    step = CallStep(call, "sent", 0.25)
    assert (step.call, step.elapsed, step.result, step.issues) == (call, 0.25, None, ())


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


def test_calls_do_not_share_their_arguments() -> None:
    assert ToolCall("files:read").arguments is not ToolCall("files:read").arguments


def test_a_call_is_a_person_s_and_has_the_server_s_limit_unless_said_otherwise() -> None:
    call = ToolCall("files:read")
    assert (call.origin, call.timeout) == ("person", None)


def test_a_server_may_not_know_how_much_there_is_to_do() -> None:
    assert Progress(3).total is None


def test_a_tool_is_known_by_its_server_and_name() -> None:
    assert ToolDefinition("files", "fs:read").key == "files:fs:read"


def test_a_person_reads_the_title_or_else_the_name() -> None:
    assert ToolDefinition("files", "read", title="Read a file").label == "Read a file"
    assert ToolDefinition("files", "read").label == "read"


def test_a_definition_cannot_be_changed() -> None:
    definition = ToolDefinition("files", "read")
    with pytest.raises(dataclasses.FrozenInstanceError):
        definition.name = "write"  # type: ignore[misc]  # that it cannot is what is tested


def test_definitions_do_not_share_their_empty_schema() -> None:
    first, second = ToolDefinition("files", "read"), ToolDefinition("files", "write")
    assert first.input_schema is not second.input_schema
