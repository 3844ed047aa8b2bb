"""The limits that count where nobody says others."""

from __future__ import annotations

from desktop.agent.kept_results import SHOWN
from desktop.agent.limits import SessionLimits


def test_every_ask_is_bounded() -> None:
    limits = SessionLimits()
    assert (limits.turns, limits.calls, limits.seconds) == (25, 16, 1800)


def test_a_cut_result_is_shorter_than_one_that_is_not() -> None:
    assert SHOWN < SessionLimits().result < SessionLimits().kept
