"""The top of a schema as all providers insist on it."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.report import Report
from desktop.llm.formats.top_level import as_object


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"type": ["object", "null"]}])
def test_the_top_is_an_object_with_properties(schema: Any) -> None:
    report = Report()
    assert as_object(schema, report) == {"type": "object", "properties": {}}
    assert [change.kind for change in report.changes] == ["added", "added"]


@pytest.mark.parametrize("keyword", ["not", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"])
def test_no_combinator_stays_at_the_top(keyword: str) -> None:
    values: dict[str, Any] = {"anyOf": [{}], "oneOf": [{}], "allOf": [{}], "enum": [{}]}
    value = values.get(keyword, {})
    assert as_object({keyword: value}, Report()) == {"type": "object", "properties": {}}


def test_branches_for_other_types_than_objects_do_not_count() -> None:
    branches = [{"type": "string"}, {"properties": {"a": {"type": "null"}}, "required": ["a"]}]
    assert as_object({"anyOf": branches}, Report())["required"] == ["a"]


def test_branches_in_branches_are_made_one_too() -> None:
    part = {"anyOf": [{"required": ["b"]}, {"required": ["c"]}]}
    out = as_object({"allOf": [{"required": ["a"]}, part]}, Report())
    assert out["required"] == ["a"]
    assert out["description"] == "Give the parameters of one of these sets: (b) or (c)."
