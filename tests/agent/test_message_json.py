"""A message comes back from its line as it was; media are bounded."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from desktop.agent import message_json
from desktop.agent.message_json import decode, encode
from desktop.llm.messages import (
    AssistantMessage,
    Image,
    Message,
    Replay,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from desktop.tool_types import Content, ErrorCode, ToolResult, ValidationIssue, failed

NOW = datetime(2026, 11, 20, tzinfo=UTC)
ISSUE = ValidationIssue(("a", 0), "type", "must be text", "warning", code="type")
MEDIA = (
    Content("text", "hello"),
    Content("image", data=b"\x89PNG", mime="image/png"),
    Content("resource", data=b"\0\1", mime="x/y", uri="test://a", name="a"),
)
MESSAGES: list[Message] = [
    UserMessage("hi ✓\ud800", (Image(b"\xff\xd8", "image/jpeg"),)),
    AssistantMessage(
        "text",
        (ToolRequest("1", "a__b", {"x": [1, None]}), ToolRequest("2", "a__c", "{broken")),
        "thought",
        "tools",
        Usage(1, 2, 3),
        "model-1",
        Replay("anthropic", ({"type": "thinking", "signature": "abc"},), "model-1"),
    ),
    ToolMessage(
        (
            ToolAnswer("1", "a__b", ToolResult(True, "out", None, MEDIA, {"y": 1}, 0.5, NOW)),
            ToolAnswer("3", "a__d", ToolResult(True, output_issues=(ISSUE,))),
            ToolAnswer("2", "a__c", failed("ParseError", "bad", ErrorCode.INVALID_ARGUMENTS)),
        )
    ),
]


def written(message: Message, **options: Any) -> dict[str, Any]:
    requests = message.requests if isinstance(message, AssistantMessage) else ()
    given: Any = {one.call_id: one.arguments for one in requests}
    return json.loads(json.dumps(encode(message, given, **options)))


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_comes_back_as_it_was(message: Message) -> None:
    assert decode(written(message)) == message


def test_the_arguments_that_are_written_are_those_it_is_given() -> None:
    hidden: dict[str, str | dict[str, Any]] = {"1": {"x": "•"}, "2": "{•"}
    assert "[1, None]" not in str(encode(MESSAGES[1], hidden))


def test_the_providers_own_form_is_left_out_where_it_must_not_be_written_or_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = decode(written(MESSAGES[1], keeps_replay=False))
    assert isinstance(message, AssistantMessage)
    assert message.replay is None
    monkeypatch.setattr(message_json, "REPLAY", 10)
    assert written(MESSAGES[1])["replay"] is None


def test_media_beyond_the_bound_are_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_json, "MEDIA", 4)
    message = decode(written(MESSAGES[2]))
    assert isinstance(message, ToolMessage)
    content = message.answers[0].result.content
    assert content[:2] == MEDIA[:2]
    assert content[2].text == "[x/y, 2 bytes, not kept]"
    monkeypatch.setattr(message_json, "MEDIA", 1)
    assert decode(written(MESSAGES[0])) == UserMessage("hi ✓\ud800")


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"type": "later"},
        {"type": "user", "text": 3, "images": []},
        {"type": "assistant", "text": ""},
        {"type": "tools", "answers": [{"id": "1"}]},
        {"type": "user", "text": "x", "images": [{"data": "%%%", "mime": 1}]},
    ],
)
def test_what_is_no_message_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        decode(value)
