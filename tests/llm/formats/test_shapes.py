"""One level of a schema, with what is malformed left out."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.report import Report
from desktop.llm.formats.shapes import well_shaped


@pytest.mark.parametrize(
    ("given", "kept", "kinds"),
    [
        ({"$schema": "x", "$id": "y", "$comment": "z", "$defs": {}}, {}, ["dropped"] * 3),
        ({"type": "int"}, {}, ["loosened"]),
        ({"type": ["string", "any"]}, {}, ["loosened"]),
        ({"type": ["string", "string"]}, {"type": ["string"]}, []),
        ({"title": 5}, {}, ["dropped"]),
        ({"maxItems": 3.0}, {"maxItems": 3}, []),
        ({"required": ["a", "a"]}, {"required": ["a"]}, []),
        ({"required": True}, {}, ["loosened"]),
        ({"enum": []}, {}, ["loosened"]),
        ({"default": float("nan")}, {}, ["dropped"]),
        ({"const": float("nan")}, {}, ["loosened"]),
        ({"x-own": None, "nullable": True}, {"x-own": None, "nullable": True}, []),
        ({"description": "a\x00b"}, {"description": "ab"}, ["dropped"]),
        ({"items": [1, 2], "additionalItems": 3}, {"prefixItems": [1, 2], "items": 3}, ["moved"]),
        ({"minimum": 1, "exclusiveMinimum": True}, {"minimum": 1}, ["loosened"]),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}, []),
        ({"unevaluatedProperties": False, "dependencies": {}}, {}, ["loosened"] * 2),
        ({"patternProperties": {"(": {}, "a": {}}}, {"patternProperties": {"a": {}}}, ["loosened"]),
    ],
)
def test_what_is_kept_of_a_schema(given: Any, kept: Any, kinds: list[str]) -> None:
    report = Report()
    assert well_shaped(given, (), report) == kept
    assert [change.kind for change in report.changes] == kinds


@pytest.mark.parametrize(
    "lost", [{"properties": {"\ud800": {}}}, {"patternProperties": {"(": {}}}, {"properties": [1]}]
)
def test_an_object_that_lost_a_name_is_open(lost: Any) -> None:
    assert "additionalProperties" not in well_shaped(
        {**lost, "additionalProperties": False}, (), Report()
    )


def test_an_object_that_lost_none_stays_closed() -> None:
    schema: Any = {"properties": {"a": {}}, "additionalProperties": False}
    assert well_shaped(schema, (), Report()) == schema
