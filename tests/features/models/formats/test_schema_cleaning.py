"""What is malformed, contradictory or endless is removed from a schema."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.models.formats.declaration import Report
from desktop.features.models.formats.schema_cleaning import (
    clean_up_schema,
    cut_cycles,
    sanitize_schema,
)
from desktop.features.models.formats.schema_keywords import NEVER_SCHEMA


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
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}, ["moved"]),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}, []),
        ({"unevaluatedProperties": False, "dependencies": {}}, {}, ["loosened"] * 2),
        ({"patternProperties": {"(": {}, "a": {}}}, {"patternProperties": {"a": {}}}, ["loosened"]),
    ],
)
def test_what_is_kept_of_a_schema(given: Any, kept: Any, kinds: list[str]) -> None:
    report = Report()
    assert sanitize_schema(given, (), report) == kept
    assert [change.kind for change in report.changes] == kinds


@pytest.mark.parametrize(
    "lost", [{"properties": {"\ud800": {}}}, {"patternProperties": {"(": {}}}, {"properties": [1]}]
)
def test_an_object_that_lost_a_name_is_open(lost: Any) -> None:
    assert "additionalProperties" not in sanitize_schema(
        {**lost, "additionalProperties": False}, (), Report()
    )


def test_an_object_that_lost_none_stays_closed() -> None:
    schema: Any = {"properties": {"a": {}}, "additionalProperties": False}
    assert sanitize_schema(schema, (), Report()) == schema


WHAT_DOES_NOT_FIT_TOGETH: list[tuple[Any, Any]] = [
    ({"type": "array"}, {"type": "array", "items": {}}),
    ({"type": ["array", "null"]}, {"type": ["array", "null"], "items": {}}),
    ({"items": NEVER_SCHEMA}, {"items": {}, "maxItems": 0}),
    (
        {"items": NEVER_SCHEMA, "prefixItems": [{}], "maxItems": 5},
        {"items": {}, "prefixItems": [{}], "maxItems": 1},
    ),
    ({"anyOf": [NEVER_SCHEMA, {"type": "null"}]}, {"anyOf": [{"type": "null"}]}),
    ({"oneOf": [NEVER_SCHEMA]}, {}),
    ({"properties": {"a": NEVER_SCHEMA, "b": {}}}, {"properties": {"b": {}}}),
    ({"required": ["a"]}, {"required": ["a"], "properties": {"a": {}}}),
    (
        {"required": ["a", "b"], "properties": {"a": {}}, "additionalProperties": False},
        {"required": ["a"], "properties": {"a": {}}, "additionalProperties": False},
    ),
    ({"propertyNames": {"type": "string"}}, {}),
]


@pytest.mark.parametrize(("given", "settled"), WHAT_DOES_NOT_FIT_TOGETH)
def test_what_does_not_fit_together_is_settled(given: Any, settled: Any) -> None:
    assert clean_up_schema(given, (), Report()) == settled


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def test_a_circle_on_the_same_value_is_cut_once() -> None:
    report = Report()
    definitions = {"A": {"anyOf": [ref("B"), {"type": "string"}]}, "B": {"allOf": [ref("A")]}}
    out = cut_cycles(definitions, report)
    assert out == {"A": definitions["A"], "B": {"allOf": [{}]}}
    assert report.loosened == 1


def test_a_tree_of_parts_is_no_circle() -> None:
    report = Report()
    definitions = {"Node": {"properties": {"next": ref("Node")}, "items": ref("Node")}}
    assert cut_cycles(definitions, report) == definitions
    assert report.loosened == 0


def test_ten_thousand_definitions_in_a_row_need_no_recursion() -> None:
    chain = {f"D{i}": ref(f"D{i + 1}") for i in range(10_000)} | {"D10000": ref("D0")}
    out = cut_cycles(chain, Report())
    assert out["D10000"] == {}
    assert out["D9999"] == ref("D10000")
