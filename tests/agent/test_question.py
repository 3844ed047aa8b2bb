"""What a question and an answer hold when nothing else is said."""

from __future__ import annotations

from desktop.agent.question import ApprovalQuestion, ApprovalResponse
from tests.agent.definitions import tool


def test_a_question_is_about_a_tool_that_did_not_change_and_can_be_decided_for_good() -> None:
    question = ApprovalQuestion("c", tool(), {"path": "a"})
    assert question.difference == ""
    assert question.can_always


def test_an_answer_leaves_the_arguments_as_they_are() -> None:
    assert ApprovalResponse("once").arguments is None
    assert ApprovalResponse("deny").reason == ""
