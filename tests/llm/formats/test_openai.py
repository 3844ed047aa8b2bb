"""What OpenAI is told."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats.openai import chat_tool, openai_schema, responses_tool
from desktop.llm.formats.report import Report


def test_strict_is_always_said_to_be_off() -> None:
    """chatlas #255, coder/xum #3821: left out, Responses makes every parameter required."""
    function: dict[str, Any] = {"name": "n", "description": "d", "parameters": {}, "strict": False}
    assert chat_tool("n", "d", {}) == {"type": "function", "function": function}
    assert responses_tool("n", "d", {}) == {"type": "function", **function}


def test_a_pattern_of_another_dialect_is_said_in_words() -> None:
    report = Report()
    foreign = "^(?<year>[0-9]+)$"
    schema = {"properties": {"a": {"pattern": foreign}, "b": {"pattern": "^x"}}}
    out = openai_schema({**schema, "$defs": {"A": {"pattern": foreign}}}, report)
    words = f"Matches the regular expression {foreign}"
    assert out["properties"] == {"a": {"description": words}, "b": {"pattern": "^x"}}
    assert out["$defs"] == {"A": {"description": words}}
    assert [change.path for change in report.changes] == [
        "/properties/a/pattern",
        "/$defs/A/pattern",
    ]
