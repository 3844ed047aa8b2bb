"""The bounds that hold where nobody says others."""

from __future__ import annotations

from desktop.llm.services.limits import OWN_SERVER, Limits


def test_an_answer_is_waited_for_two_minutes_and_of_an_own_server_longer() -> None:
    assert Limits().silence == 120
    assert OWN_SERVER.silence == 900
