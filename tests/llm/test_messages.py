"""Messages hold a conversation, and of a provider only what must go back as it came."""

from __future__ import annotations

from desktop.llm.messages import AssistantMessage, Replay, ToolRequest, UserMessage


def test_two_turns_that_say_the_same_are_equal_and_one_that_was_replayed_differs() -> None:
    said = AssistantMessage("Hello", (ToolRequest("1", "a__b", "{}"),))
    assert said == AssistantMessage("Hello", (ToolRequest("1", "a__b", "{}"),))
    assert said != AssistantMessage("Hello", said.requests, replay=Replay("anthropic", ({},)))
    assert UserMessage("Hello").images == ()
