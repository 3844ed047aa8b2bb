"""Whatever is left of a conversation, a provider takes it."""

from __future__ import annotations

from desktop.agent.conversation import NOT_KEPT, Conversation, cancelled, mended
from desktop.llm.messages import (
    AssistantMessage,
    Message,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.tools.result import ToolResult

ONE, TWO = ToolRequest("1", "a__b"), ToolRequest("2", "a__c")
ASKED = UserMessage("go")
CALLS = AssistantMessage("", (ONE, TWO), stop="tools")
ANSWER = ToolAnswer("1", "a__b", ToolResult(True, "fine"))


def test_it_knows_who_has_the_word() -> None:
    conversation = Conversation()
    assert not conversation.waits_for_model
    told: list[Message] = []
    conversation.added.connect(told.append)
    conversation.add(ASKED)
    assert conversation.waits_for_model
    conversation.add(AssistantMessage("done"))
    assert not conversation.waits_for_model
    assert told == list(conversation.messages)


def test_what_is_whole_stays_as_it_is() -> None:
    answers = ToolMessage((ANSWER, cancelled(TWO, "no")))
    whole: list[Message] = [ASKED, CALLS, answers, AssistantMessage("done"), UserMessage("more")]
    assert mended(whole) == whole


def test_a_request_without_an_answer_gets_one_that_says_so() -> None:
    missing = cancelled(TWO, NOT_KEPT)
    for left in ([ASKED, CALLS], [ASKED, CALLS, UserMessage("hello?")]):
        found = mended(left)
        message = found[2]
        assert isinstance(message, ToolMessage)
        assert [one.call_id for one in message.answers] == ["1", "2"]
        assert message.answers[1].result.error == missing.result.error
        assert found[3:] == left[2:]
    found = mended([ASKED, CALLS, ToolMessage((ANSWER,))])
    message = found[2]
    assert isinstance(message, ToolMessage)
    assert message.answers[0] == ANSWER
    assert len(message.answers) == 2


def test_answers_that_nobody_asked_for_and_a_beginning_without_a_person_go() -> None:
    answers = ToolMessage((ANSWER,))
    assert mended([CALLS, answers, ASKED, answers]) == [ASKED]
    assert mended([answers]) == []
