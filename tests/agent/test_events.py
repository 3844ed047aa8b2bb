"""One stream: the model's own events and the session's, each told from the others by its type."""

from __future__ import annotations

from typing import get_args

from desktop.agent.events import AgentEvent, Ended, TurnOutcome
from desktop.llm.completion import RequestDelta, Retrying, TextDelta, ThinkingDelta
from desktop.llm.messages import Usage


def test_the_pieces_of_an_answer_are_the_providers_own_events() -> None:
    kinds = set(get_args(AgentEvent))
    assert kinds >= {TextDelta, ThinkingDelta, RequestDelta, Retrying, Ended}
    assert len(kinds) == len(get_args(AgentEvent))


def test_an_outcome_without_more_used_nothing() -> None:
    assert TurnOutcome("stopped").usage == Usage()
