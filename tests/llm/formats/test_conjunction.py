"""Two schemas that must both hold, made one."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.conjunction import conjoin
from desktop.llm.formats.report import Report

WHAT_CAN_BE_SAID_EXACTLY: list[tuple[Any, Any, Any]] = [
    ({"minimum": 1}, {"minimum": 3, "maximum": 5}, {"minimum": 3, "maximum": 5}),
    ({"maxItems": 5}, {"maxItems": 0}, {"maxItems": 0}),
    ({"type": ["string", "null"]}, {"type": "string"}, {"type": "string"}),
    ({"type": "number"}, {"type": ["integer", "string"]}, {"type": "integer"}),
    ({"enum": [1, 2, 3]}, {"enum": [3, 2]}, {"enum": [2, 3]}),
    ({"required": ["a"]}, {"required": ["b", "a"]}, {"required": ["a", "b"]}),
    ({"items": {"minimum": 1}}, {"items": {"maximum": 2}}, {"items": {"minimum": 1, "maximum": 2}}),
    ({"description": "mine"}, {"description": "its"}, {"description": "mine"}),
    ({"uniqueItems": False}, {"uniqueItems": True}, {"uniqueItems": True}),
    (
        {"properties": {"a": {"minimum": 1}}},
        {"properties": {"a": {"maximum": 2}, "b": {}}},
        {"properties": {"a": {"minimum": 1, "maximum": 2}, "b": {}}},
    ),
]


@pytest.mark.parametrize(("first", "second", "both"), WHAT_CAN_BE_SAID_EXACTLY)
def test_what_can_be_said_exactly_is(first: Any, second: Any, both: Any) -> None:
    report = Report()
    assert conjoin(first, second, (), report) == both
    assert report.loosened == 0


WHAT_CANNOT_IS_LOOSER_AN: list[tuple[Any, Any, Any]] = [
    ({"pattern": "a"}, {"pattern": "b"}, {"pattern": "a"}),
    ({"type": "string"}, {"type": "null"}, {"type": "string"}),
    ({"enum": [1]}, {"enum": [True]}, {"enum": [1]}),
    ({"if": {}, "then": {}}, {"if": {"a": 1}, "else": {}}, {"if": {}, "then": {}}),
    (
        {"items": {}, "prefixItems": [{}]},
        {"items": {"type": "string"}},
        {"items": {}, "prefixItems": [{}]},
    ),
    (
        {"properties": {"a": {}}, "additionalProperties": False},
        {"properties": {"b": {}}},
        {"properties": {"a": {}, "b": {}}, "additionalProperties": False},
    ),
]


@pytest.mark.parametrize(("first", "second", "kept"), WHAT_CANNOT_IS_LOOSER_AN)
def test_what_cannot_is_looser_and_told(first: Any, second: Any, kept: Any) -> None:
    report = Report()
    assert conjoin(first, second, (), report) == kept
    assert report.loosened >= 1
