"""Notes in a description."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats.wording import described


def test_a_note_follows_the_description_and_is_cut_where_it_is_long() -> None:
    schema: dict[str, Any] = {"description": "Size"}
    described(schema, "a multiple of 5")
    assert schema["description"] == "Size (a multiple of 5)"
    empty: dict[str, Any] = {}
    described(empty, "x" * 1000)
    assert len(empty["description"]) == 300
