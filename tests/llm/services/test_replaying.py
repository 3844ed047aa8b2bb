"""A turn goes back as it came only where it came from."""

from __future__ import annotations

import pytest

from desktop.llm.messages import AssistantMessage, Replay
from desktop.llm.services.replaying import replayed

ITEM = {"type": "thinking", "signature": {"deep": 1}}
TURN = AssistantMessage("x", replay=Replay("them/api", (ITEM,), "m"))


def test_it_is_a_copy() -> None:
    found = replayed(TURN, "m", "them/api")
    assert found == [ITEM]
    found[0]["signature"]["deep"] = 2
    assert ITEM["signature"] == {"deep": 1}


@pytest.mark.parametrize(
    ("message", "model", "source"),
    [(TURN, "other", "them/api"), (TURN, "m", "others/api"), (AssistantMessage("x"), "m", "")],
)
def test_elsewhere_it_is_nothing(message: AssistantMessage, model: str, source: str) -> None:
    assert replayed(message, model, source) == []
