"""The bounds that hold where nobody says others."""

from __future__ import annotations

from desktop.llm.services.limits import Limits


def test_an_answer_is_waited_for_two_minutes() -> None:
    assert Limits().silence == 120
