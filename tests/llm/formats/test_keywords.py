"""Which values the keywords of JSON Schema take."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.keywords import SHAPES, has_type, is_of_type, is_python_pattern, types_of

THE_SHAPE_OF_A_KEYWORD: list[tuple[Any, Any, Any]] = [
    ("type", ["string", ["null", "object"]], ["any", [], ["string", 1], 5]),
    ("maxItems", [0, 3.0], [-1, 1.5, True, "1"]),
    ("minimum", [-1, 2.5], [True, "0", float("inf"), None]),
    ("multipleOf", [0.1], [0, -1]),
    ("required", [[], ["a"]], [True, [1], "a"]),
    ("enum", [[None]], [[], "a"]),
    ("anyOf", [[{}]], [[], {}]),
    ("dependentRequired", [{"a": ["b"]}], [{"a": "b"}, []]),
]


@pytest.mark.parametrize(("keyword", "good", "bad"), THE_SHAPE_OF_A_KEYWORD)
def test_the_shape_of_a_keyword(keyword: str, good: list[Any], bad: list[Any]) -> None:
    assert all(SHAPES[keyword](value) for value in good)
    assert not any(SHAPES[keyword](value) for value in bad)


def test_types_of_values_are_those_of_json_schema() -> None:
    assert is_of_type(1.0, "integer")
    assert is_of_type(1, "number")
    assert not is_of_type(True, "integer")
    assert is_of_type(None, "null")
    assert is_of_type("", "string")
    assert is_of_type({}, "object")
    assert is_of_type([], "array")
    assert has_type({"type": ["null", "array"]}, "array")
    assert types_of({"type": "string"}) == ("string",)
    assert len(types_of({})) == 7


def test_patterns_are_those_that_python_compiles() -> None:
    assert is_python_pattern("^[a-z]+$")
    assert is_python_pattern("[[a]")  # with a warning of Python's that nobody needs to see
    assert not is_python_pattern("\\p{L}")
    assert not is_python_pattern("(?<year>a)")
