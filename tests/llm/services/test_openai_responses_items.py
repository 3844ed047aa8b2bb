"""A conversation for Responses."""

from __future__ import annotations

from desktop.llm.completion import CompletionRequest
from desktop.llm.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from desktop.llm.services.openai_responses_items import items

HELLO = UserMessage("Hello")


def test_calls_are_items_of_their_own_and_pair_by_call_id() -> None:
    turn = AssistantMessage("Well.", (ToolRequest("odd:id", "a", "{}"),))
    told = items(CompletionRequest("m", [HELLO, turn]), "")
    assert [each["type"] for each in told] == [
        "message",
        "message",
        "function_call",
        "function_call_output",
    ]
    assert told[2]["call_id"] == told[3]["call_id"] != "odd:id"


def test_a_turn_of_this_provider_goes_back_as_it_came() -> None:
    raw = ({"type": "reasoning", "encrypted_content": "x"}, {"type": "message"})
    turn = AssistantMessage("x", replay=Replay("s", raw, "m"))
    assert tuple(items(CompletionRequest("m", [HELLO, turn]), "s")[1:]) == raw
