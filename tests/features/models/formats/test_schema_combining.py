"""Schemas that must both hold, or of which one must, become one."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.models.formats.declaration import Report
from desktop.features.models.formats.schema_combining import (
    describe_alternatives,
    merge_all_of,
    merge_any_of,
    merge_schemas,
)

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
    assert merge_all_of(first, second, (), report) == both
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
    assert merge_all_of(first, second, (), report) == kept
    assert report.loosened >= 1


CLOSED: Any = {"additionalProperties": False}
FILE: Any = {
    "properties": {"kind": {"const": "file"}, "path": {"type": "string"}},
    "required": ["kind", "path"],
}
URL: Any = {
    "properties": {"kind": {"const": "url"}, "url": {"type": "string"}},
    "required": ["kind", "url"],
}


def test_closed_branches_keep_their_types_and_their_end() -> None:
    assert merge_any_of([FILE | CLOSED, URL | CLOSED], ()) == {
        "properties": {
            "kind": {"enum": ["file", "url"]},
            "path": {"type": "string"},
            "url": {"type": "string"},
        },
        "required": ["kind"],
        "additionalProperties": False,
    }


def test_an_open_branch_takes_anything_under_a_name_it_does_not_know() -> None:
    out = merge_any_of([FILE, URL], ())
    assert out["properties"]["path"] == {"anyOf": [{"type": "string"}, {}]}
    assert "additionalProperties" not in out


def test_what_is_declared_beside_the_branches_is_left_to_that() -> None:
    assert "path" not in merge_any_of([FILE, URL], {"path"})["properties"]


def test_one_of_says_it_as_plainly_as_it_can() -> None:
    assert merge_schemas([{"type": "null"}, {"type": "null"}]) == {"type": "null"}
    assert merge_schemas(
        [
            {"type": "string", "const": "a"},
            {"type": "string", "enum": ["b", "a"], "description": "d"},
        ]
    ) == {
        "type": "string",
        "enum": ["a", "b"],
        "description": "d",
    }


def test_the_sets_are_said_in_words_where_there_is_something_to_choose() -> None:
    words = 'Give the parameters of one of these sets: (kind="file", path) or (kind="url", url).'
    assert describe_alternatives([FILE, URL]) == words
    assert (
        describe_alternatives([FILE])
        == describe_alternatives([FILE, {}])
        == describe_alternatives([FILE, FILE])
        == ""
    )
    many = [{"required": [f"parameter_{i}"]} for i in range(20)]
    assert describe_alternatives(many).endswith("(parameter_11) or others.")
