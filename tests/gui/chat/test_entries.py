from __future__ import annotations

from desktop.gui.chat.entries import Called, ModelSaid


def test_entries_are_what_they_are_not_what_they_say() -> None:
    """The cards of two equal answers are two cards."""
    assert ModelSaid() != ModelSaid()
    assert len({Called("1", "a"), Called("1", "a")}) == 2
