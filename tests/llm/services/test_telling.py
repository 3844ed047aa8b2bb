"""A conversation is told in order, each message in its provider's own way."""

from __future__ import annotations

from desktop.llm.completion import CompletionRequest
from desktop.llm.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from desktop.llm.services.telling import tell


def test_each_message_is_told_by_who_said_it() -> None:
    raw = Replay("here", ({"raw": 1},), "m")
    turns = (
        UserMessage("Hello"),
        AssistantMessage("a", (ToolRequest("1", "x"),), replay=raw),
        UserMessage("And?"),
        AssistantMessage("b"),
    )
    told = tell(
        CompletionRequest("m", turns),
        "here",
        person=lambda found: [{"person": found[0].text}],
        model=lambda message, raw: raw or [{"model": message.text}],
        tools=lambda answers: [{"tools": answers[0].call_id}],
    )
    assert told == [
        {"person": "Hello"},
        {"raw": 1},
        {"tools": "1"},
        {"person": "And?"},
        {"model": "b"},
    ]
