"""A conversation for Chat Completions."""

from __future__ import annotations

from desktop.llm.completion import CompletionRequest
from desktop.llm.messages import AssistantMessage, Image, Replay, ToolRequest, UserMessage
from desktop.llm.services.openai_chat_messages import messages
from tests.llm.answer_cases import PNG, PNG_TEXT

HELLO = UserMessage("Hello")


def test_a_turn_with_calls_has_no_text_rather_than_an_empty_one() -> None:
    turn = AssistantMessage("", (ToolRequest("1", "a", {"x": "ü"}), ToolRequest("2", "b", "{bad")))
    told = messages(CompletionRequest("m", [HELLO, turn], system="Be brief."), "")
    assert [each["role"] for each in told] == ["system", "user", "assistant", "tool", "tool"]
    assert told[2] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": "ü"}'}},
            {
                "id": "2",
                "type": "function",
                "function": {"name": "b", "arguments": '{"unreadable_arguments": "{bad"}'},
            },
        ],
    }


def test_a_picture_is_a_part_with_its_real_type() -> None:
    told = messages(CompletionRequest("m", [UserMessage("See", (Image(PNG, "image/gif"),))]), "")
    url = f"data:image/png;base64,{PNG_TEXT}"
    assert told[0]["content"] == [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": "See"},
    ]


def test_a_turn_of_this_server_goes_back_as_it_came() -> None:
    raw = {"role": "assistant", "content": "x", "reasoning_content": "hm"}
    turn = AssistantMessage("x", replay=Replay("s", (raw,), "m"))
    assert messages(CompletionRequest("m", [HELLO, turn]), "s")[1] == raw
    assert "reasoning_content" not in messages(CompletionRequest("m", [HELLO, turn]), "t")[1]
