"""Short ways to write a schema, and the small checker: what it finds and how it says it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from builtin_servers.framework.schema import (
    STRING,
    closed_object,
    find_problems,
)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "color": {"type": "string", "enum": ["red", "blue"]},
        "flag": {"type": "boolean"},
        "tags": {"type": "array"},
        "more": {"type": "object"},
        "any": {},
    },
    "required": ["count"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": 1},
        {"count": 2.0},
        {"count": 1, "ratio": 1, "color": "red", "flag": True, "tags": [], "more": {}, "any": None},
    ],
)
def test_good_arguments_have_no_problem(arguments: dict[str, Any]) -> None:
    assert find_problems(SCHEMA, arguments) == []


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "count: is required"),
        ({"count": "1"}, "count: must be of type integer, not string"),
        ({"count": 1.5}, "count: must be of type integer, not number"),
        ({"count": True}, "count: must be of type integer, not boolean"),
        ({"count": None}, "count: must be of type integer, not null"),
        ({"count": 1, "ratio": False}, "ratio: must be of type number, not boolean"),
        ({"count": 1, "color": "green"}, "color: must be one of red, blue, not 'green'"),
        ({"count": 1, "tags": {}}, "tags: must be of type array, not object"),
    ],
)
def test_a_problem_names_the_argument_and_the_reason(
    arguments: dict[str, Any], problem: str
) -> None:
    assert find_problems(SCHEMA, arguments) == [problem]


def test_an_unknown_name_is_refused_and_the_known_ones_are_named() -> None:
    (problem,) = find_problems(SCHEMA, {"count": 1, "colour": "red"})
    assert problem.startswith("'colour': is not a parameter; the tool takes count, ratio, color")


def test_an_unknown_name_passes_where_the_schema_is_open() -> None:
    assert find_problems({"type": "object"}, {"anything": 1}) == []


def test_a_number_that_no_double_holds_is_no_number() -> None:
    (problem,) = find_problems(SCHEMA, json.loads('{"count": 1, "ratio": 1e999}'))
    assert "out of range" in problem


def test_long_values_are_clipped_in_the_text() -> None:
    (problem,) = find_problems(SCHEMA, {"count": 1, "color": "x" * 100_000})
    assert len(problem) < 200


NESTED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "edits": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {"old": {"type": "string"}, "tags": {"type": "array", "items": {}}},
                "required": ["old"],
                "additionalProperties": False,
            },
        },
    },
}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"name": ""}, "name: must be at least 1 characters long"),
        ({"name": "abcd"}, "name: must be at most 3 characters long"),
        ({"age": -1}, "age: must be at least 0"),
        ({"age": 151.0}, "age: must be at most 150"),
        ({"edits": []}, "edits: must be at least 1 items long"),
        ({"edits": [{"old": ""}] * 3}, "edits: must be at most 2 items long"),
        ({"edits": [{"old": "a"}, {}]}, "edits[1].old: is required"),
        ({"edits": [{"old": 1}]}, "edits[0].old: must be of type string, not integer"),
        ({"edits": ["x"]}, "edits[0]: must be of type object, not string"),
        ({"edits": [{"old": "a", "new": 1}]}, "edits[0].'new': is not a key; it has old, tags"),
    ],
)
def test_sizes_items_and_inner_objects_are_checked(arguments: dict[str, Any], problem: str) -> None:
    assert find_problems(NESTED, arguments) == [problem]


def test_the_number_of_problems_told_is_bounded() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
    assert len(find_problems(schema, {"a": [1] * 1000})) == 10


def test_a_record_is_closed_and_requires_all_unless_told() -> None:
    assert closed_object({"a": STRING}) == {
        "type": "object",
        "properties": {"a": STRING},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert closed_object({"a": STRING}, [])["required"] == []
