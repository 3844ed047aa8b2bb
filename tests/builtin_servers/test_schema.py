"""The small schema checker: what it finds and how it says it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from builtin_servers.schema import find_problems

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
