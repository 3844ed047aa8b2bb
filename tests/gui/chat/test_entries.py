from __future__ import annotations

from desktop.gui.chat.entries import ModelEntry, ToolCallEntry

pytest_plugins = ("tests.gui.theme_fixture",)


def test_entries_are_what_they_are_not_what_they_say() -> None:
    """The cards of two equal answers are two cards."""
    assert ModelEntry() != ModelEntry()
    assert len({ToolCallEntry("1", "a"), ToolCallEntry("1", "a")}) == 2
