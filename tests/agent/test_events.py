"""One stream: the model's own events and the session's, each told from the others by its type.

What a question and an answer hold when nothing else is said.
"""

from __future__ import annotations

from typing import get_args

from desktop.agent.events import AgentEvent, ApprovalQuestion, ApprovalResponse, Ended, TurnOutcome
from desktop.llm.completion import RequestDelta, Retrying, TextDelta, ThinkingDelta
from desktop.llm.messages import Usage
from tests.agent.definitions import tool


def test_a_question_is_about_a_tool_that_did_not_change_and_can_be_decided_for_good() -> None:
    question = ApprovalQuestion("c", tool(), {"path": "a"})
    assert question.difference == ""
    assert question.can_always


def test_an_answer_leaves_the_arguments_as_they_are() -> None:
    assert ApprovalResponse("once").arguments is None
    assert ApprovalResponse("deny").reason == ""


def test_the_pieces_of_an_answer_are_the_providers_own_events() -> None:
    kinds = set(get_args(AgentEvent))
    assert kinds >= {TextDelta, ThinkingDelta, RequestDelta, Retrying, Ended}
    assert len(kinds) == len(get_args(AgentEvent))


def test_an_outcome_without_more_used_nothing() -> None:
    assert TurnOutcome("stopped").usage == Usage()
