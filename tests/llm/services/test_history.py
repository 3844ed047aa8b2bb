"""A conversation that any provider takes."""

from __future__ import annotations

import re

import pytest

from desktop.llm.messages import (
    AssistantMessage,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.llm.services.history import NOT_RUN, arguments_object, safe_id, settled
from desktop.tool_types import ToolResult

HELLO = UserMessage("Hello")
ASKED = AssistantMessage("", (ToolRequest("1", "a"), ToolRequest("2", "b")))
ONE = ToolAnswer("1", "a", ToolResult(True))
TWO = ToolAnswer("2", "b", ToolResult(True))


def test_a_conversation_that_is_in_order_stays_as_it_is() -> None:
    messages = [HELLO, ASKED, ToolMessage((ONE, TWO)), AssistantMessage("Done.")]
    assert settled(messages) == messages


def test_answers_come_in_the_order_of_the_calls() -> None:
    assert settled([ASKED, ToolMessage((TWO, ONE))])[1] == ToolMessage((ONE, TWO))


def test_a_call_without_an_answer_gets_one_that_says_so() -> None:
    for messages in ([HELLO, ASKED], [HELLO, ASKED, HELLO]):
        answers = settled(messages)[2]
        assert isinstance(answers, ToolMessage)
        errors = [one.result.error for one in answers.answers]
        assert [error and error.message for error in errors] == [NOT_RUN] * 2


def test_answers_to_nothing_and_empty_turns_are_left_out() -> None:
    empty = AssistantMessage(" ", thinking="Hm.")
    assert settled([HELLO, empty, ToolMessage((ONE,)), HELLO]) == [HELLO, HELLO]


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
    assert arguments_object(ToolRequest("1", "a", arguments)) == found


def test_an_id_that_some_provider_refuses_is_replaced_by_the_same_one_each_time() -> None:
    assert safe_id("call_1-x") == "call_1-x"
    for odd in ("functions.add:0", "", "x" * 65, "\ud800"):
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", safe_id(odd))
        assert safe_id(odd) == safe_id(odd)
    assert safe_id("a:0") != safe_id("a:1")
