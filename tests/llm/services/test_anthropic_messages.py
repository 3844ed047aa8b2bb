"""A conversation for Anthropic."""

from __future__ import annotations

from desktop.llm.completion import CompletionRequest
from desktop.llm.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from desktop.llm.services.anthropic_messages import messages

HELLO = UserMessage("Hello")


def test_no_text_is_empty_or_ends_in_white_space() -> None:
    turn = AssistantMessage("Well. \n", (ToolRequest("odd:id", "a", "{bad"),))
    told = messages(CompletionRequest("m", [HELLO, turn]), "")
    assert told[1]["content"][0] == {"type": "text", "text": "Well."}
    call = told[1]["content"][1]
    assert call["input"] == {"unreadable_arguments": "{bad"}
    assert call["id"] == told[2]["content"][0]["tool_use_id"] != "odd:id"
    only_call = AssistantMessage("", turn.requests)
    blocks = messages(CompletionRequest("m", [HELLO, only_call]), "")[1]["content"]
    assert [block["type"] for block in blocks] == ["tool_use"]


def test_a_turn_of_this_provider_goes_back_as_it_came() -> None:
    raw = ({"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "x"})
    turn = AssistantMessage("x", replay=Replay("s", raw, "m"))
    assert tuple(messages(CompletionRequest("m", [HELLO, turn]), "s")[1]["content"]) == raw
