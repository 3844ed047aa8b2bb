"""References, equality and types mean the same to everybody who asks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.values.json_schema import (
    JSON_TYPES,
    dump_json,
    list_of,
    object_of,
    resolve_chain,
    resolve_ref,
    same_json,
    types_of,
)

PIN = {"type": "string", "writeOnly": True}
INNER: dict[str, Any] = {
    "$id": "inner.json",
    "$defs": {"A": {"type": "integer"}, "B": {"$anchor": "b", "type": "null"}},
}
SCHEMA: dict[str, Any] = {
    "$id": "http://x/s.json",
    "$defs": {
        "My Pin": PIN,
        "a/b~c%d": {"type": "number"},
        "named": {"$anchor": "pin", "minLength": 1},
        "old": {"$id": "#old", "maxLength": 2},
        "Again": {"$ref": "#/$defs/My%20Pin"},
        "Round": {"$ref": "#/$defs/Round"},
        "inner": INNER,
        "value": {"const": {"$anchor": "not-a-schema"}},
    },
    "anyOf": [{"type": "boolean"}],
    "properties": {"deep": {"items": {"$anchor": "deep", "type": "array"}}},
}


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("#/$defs/My%20Pin", PIN),
        ("#/$defs/My Pin", PIN),
        ("#/$defs/a~1b~0c%25d", {"type": "number"}),
        ("#/anyOf/0", {"type": "boolean"}),
        ("#pin", {"$anchor": "pin", "minLength": 1}),
        ("#old", {"$id": "#old", "maxLength": 2}),
        ("#deep", {"$anchor": "deep", "type": "array"}),
        ("#", SCHEMA),
        ("#/", SCHEMA),
        ("http://x/s.json", SCHEMA),
        ("http://x/s.json#/anyOf/0", {"type": "boolean"}),
        ("s.json#/anyOf/0", {"type": "boolean"}),
        ("inner.json", INNER),
        ("http://x/inner.json#/$defs/A", {"type": "integer"}),
        ("inner.json#b", {"$anchor": "b", "type": "null"}),
    ],
)
def test_a_reference_leads_to_its_target(reference: str, target: Any) -> None:
    assert resolve_ref(SCHEMA, reference) == target


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/none", "#/anyOf/1", "#/anyOf/-1", "#/anyOf/x", "#/anyOf/99999999999", "#none",
     "#not-a-schema", "http://elsewhere/s.json", "#/$id/0", "", 7, None],
)  # fmt: skip
def test_a_reference_that_leads_nowhere_is_none(reference: object) -> None:
    schema = {**SCHEMA, "$id": "http://x/s.json"}
    assert resolve_ref(schema, reference) is None or reference == ""


def test_references_to_references_are_followed_but_not_in_circles() -> None:
    assert resolve_chain(SCHEMA, "#/$defs/Again") == PIN
    assert resolve_chain(SCHEMA, "#/$defs/Round") is None


def test_a_target_is_the_schemas_own_object() -> None:
    assert resolve_ref(SCHEMA, "#/$defs/My%20Pin") is PIN


VALUES: list[Any] = [0, 1, "", "1", None, True, False, [], {}, [1], [True], [1, 1], {"a": 1}]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_the_same_json_as_itself_alone(value: Any) -> None:
    assert [same_json(value, other) for other in VALUES].count(True) == 1


def test_numbers_are_the_same_however_they_are_written_and_true_is_no_number() -> None:
    assert same_json({"a": [1, 2.0]}, {"a": [1.0, 2]})
    assert not same_json({"a": [1]}, {"a": [True]})
    assert not same_json({"a": 1}, {"b": 1})


def test_values_of_any_depth_are_compared() -> None:
    one: list[Any] = []
    other: list[Any] = []
    for _ in range(50_000):
        one, other = [one], [other]
    assert same_json(one, other)


def test_the_types_of_a_schema_are_all_where_it_names_none() -> None:
    assert types_of({"type": "string"}) == ("string",)
    assert types_of({"type": ["null", "array"]}) == ("null", "array")
    assert types_of({}) == types_of({"type": 3}) == JSON_TYPES


def test_what_is_of_another_shape_counts_as_empty() -> None:
    assert (object_of([1]), list_of({"a": 1})) == ({}, [])


def test_json_is_text_that_utf_8_can_hold() -> None:
    assert dump_json({"a": "größe"}) == '{"a": "größe"}'
    half = dump_json({"a": "gr\ud800"}, indent=1)
    assert json.loads(half.encode()) == {"a": "gr\ud800"}
    assert dump_json({1}, default=list) == "[1]"
