"""Whatever is left of a conversation, a provider takes it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.conversation import NOT_KEPT, Conversation, cancelled, mended
from desktop.llm.messages import (
    AssistantMessage,
    Message,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.tool_types import ToolResult

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


ids = st.sampled_from("abc")
messages = st.one_of(
    st.just(UserMessage("x")),
    st.lists(ids, unique=True).map(
        lambda found: AssistantMessage("", tuple(ToolRequest(one, one) for one in found))
    ),
    st.lists(ids).map(
        lambda found: ToolMessage(tuple(ToolAnswer(one, one, ToolResult(True)) for one in found))
    ),
)


@given(st.lists(messages, max_size=12))
def test_whatever_lines_are_lost_every_request_has_its_answer_and_nothing_else_has(
    left: list[Message],
) -> None:
    found = mended(left)
    assert not found or isinstance(found[0], UserMessage)
    waiting: list[str] = []
    for message in [*found, UserMessage("end")]:
        answers = message.answers if isinstance(message, ToolMessage) else ()
        assert [one.call_id for one in answers] == waiting
        requests = message.requests if isinstance(message, AssistantMessage) else ()
        waiting = [one.call_id for one in requests]
    assert mended(found) == found
