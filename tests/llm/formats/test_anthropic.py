"""What Anthropic is told."""

from __future__ import annotations

from desktop.llm.formats.anthropic import messages_tool


def test_a_tool_has_a_name_a_description_and_its_schema() -> None:
    assert messages_tool("n", "d", {"type": "object"}) == {
        "name": "n",
        "description": "d",
        "input_schema": {"type": "object"},
    }
