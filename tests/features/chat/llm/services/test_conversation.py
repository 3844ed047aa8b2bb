"""A conversation prepared for any provider."""

from __future__ import annotations

import re

import pytest

from desktop.features.chat.llm.completion import CompletionRequest
from desktop.features.chat.llm.services.conversation import (
    EMPTY_MESSAGE,
    NOT_RUN,
    convert_user_message,
    make_safe_id,
    map_messages,
    read_arguments,
    repair_messages,
    replay_items,
)
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    Replay,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.values.tool_types import ToolResult
from tests.features.models.answer_cases import PNG

HELLO = UserMessage("Hello")
ASKED = AssistantMessage("", (ToolRequest("1", "a"), ToolRequest("2", "b")))
ONE = ToolAnswer("1", "a", ToolResult(True))
TWO = ToolAnswer("2", "b", ToolResult(True))


def test_a_conversation_that_is_in_order_stays_as_it_is() -> None:
    messages = [HELLO, ASKED, ToolMessage((ONE, TWO)), AssistantMessage("Done.")]
    assert repair_messages(messages) == messages


def test_answers_come_in_the_order_of_the_calls() -> None:
    assert repair_messages([ASKED, ToolMessage((TWO, ONE))])[1] == ToolMessage((ONE, TWO))


def test_a_call_without_an_answer_gets_one_that_says_so() -> None:
    for messages in ([HELLO, ASKED], [HELLO, ASKED, HELLO]):
        answers = repair_messages(messages)[2]
        assert isinstance(answers, ToolMessage)
        errors = [item.result.error for item in answers.answers]
        assert [error and error.message for error in errors] == [NOT_RUN] * 2


def test_answers_to_nothing_and_empty_turns_are_left_out() -> None:
    empty = AssistantMessage(" ", thinking="Hm.")
    assert repair_messages([HELLO, empty, ToolMessage((ONE,)), HELLO]) == [HELLO, HELLO]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": ', {"unreadable_arguments": '{"a": '}),
        ("[1]", {"unreadable_arguments": "[1]"}),
        ({"a": float("nan")}, {"unreadable_arguments": '{"a": NaN}'}),
    ],
)
def test_arguments_go_back_as_an_object(arguments: str, found: object) -> None:
    assert read_arguments(ToolRequest("1", "a", arguments)) == found


def test_an_id_that_some_provider_refuses_is_replaced_by_the_same_one_each_time() -> None:
    assert make_safe_id("call_1-x") == "call_1-x"
    for odd in ("functions.add:0", "", "x" * 65, "\ud800"):
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", make_safe_id(odd))
        assert make_safe_id(odd) == make_safe_id(odd)
    assert make_safe_id("a:0") != make_safe_id("a:1")


def test_each_message_is_told_by_who_said_it() -> None:
    replay_items = Replay("here", ({"raw": 1},), "m")
    turns = (
        UserMessage("Hello"),
        AssistantMessage("a", (ToolRequest("1", "x"),), replay=replay_items),
        UserMessage("And?"),
        AssistantMessage("b"),
    )
    told = map_messages(
        CompletionRequest("m", turns),
        "here",
        user=lambda found: [{"person": found[0].text}],
        model=lambda message, replay_items: replay_items or [{"model": message.text}],
        tools=lambda answers: [{"tools": answers[0].call_id}],
    )
    assert told == [
        {"person": "Hello"},
        {"raw": 1},
        {"tools": "1"},
        {"person": "And?"},
        {"model": "b"},
    ]


ITEM = {"type": "thinking", "signature": {"deep": 1}}
TURN = AssistantMessage("x", replay=Replay("them/api", (ITEM,), "m"))


def test_it_is_a_copy() -> None:
    found = replay_items(TURN, "m", "them/api")
    assert found == [ITEM]
    found[0]["signature"]["deep"] = 2
    assert ITEM["signature"] == {"deep": 1}


@pytest.mark.parametrize(
    ("message", "model", "source"),
    [(TURN, "other", "them/api"), (TURN, "m", "others/api"), (AssistantMessage("x"), "m", "")],
)
def test_elsewhere_it_is_nothing(message: AssistantMessage, model: str, source: str) -> None:
    assert replay_items(message, model, source) == []


def test_pictures_come_before_the_text() -> None:
    found = convert_user_message(UserMessage("bad \ud800 text", (Image(PNG, "image/jpeg"),)))
    assert [piece.mime for piece in found] == ["image/png", ""]
    assert found[1].text == "bad ? text"


def test_it_is_never_empty() -> None:
    assert [piece.text for piece in convert_user_message(UserMessage("  "))] == [EMPTY_MESSAGE]
    assert len(convert_user_message(UserMessage("", (Image(PNG, "image/png"),)))) == 1
