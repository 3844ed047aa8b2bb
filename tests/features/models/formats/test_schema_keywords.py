"""Keywords, subschemas and references of JSON Schema."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.base.translatable import translatable
from desktop.features.models.formats.declaration import Report
from desktop.features.models.formats.schema_keywords import (
    KEYWORD_SHAPES,
    append_description,
    has_type,
    is_of_type,
    is_python_pattern,
    map_children,
)
from desktop.values.json_schema import types_of
from desktop.values.tool_types import JsonPath

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
    assert all(KEYWORD_SHAPES[keyword](value) for value in good)
    assert not any(KEYWORD_SHAPES[keyword](value) for value in bad)


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


def visited(schema: Any, *, loosen: bool = False) -> tuple[Any, dict[JsonPath, str]]:
    report, seen = Report(), dict[JsonPath, str]()

    def visit(child: Any, path: JsonPath, keyword: str) -> dict[str, Any]:
        seen[path] = keyword
        if loosen:
            report.add("loosened", path, translatable("looser"))
        return {"seen": child}

    return map_children(schema, (), visit, report), seen


def test_each_schema_inside_is_visited_and_no_value_is() -> None:
    schema = {
        "properties": {"enum": 1},
        "items": 2,
        "anyOf": [3, 4],
        "additionalProperties": False,
        "default": {"items": 5},
        "enum": [{"not": 6}],
    }
    out, seen = visited(schema)
    assert list(seen) == [("properties", "enum"), ("items",), ("anyOf", 0), ("anyOf", 1)]
    assert out["additionalProperties"] is False
    assert out["properties"] == {"enum": {"seen": 1}}
    assert out["default"] == {"items": 5}


WHAT_WOULD_BECOME_STRICT: list[tuple[Any, Any]] = [
    ({"not": {}}, set[str]()),
    ({"if": {}, "then": {}, "else": {}}, set[str]()),
    ({"oneOf": [{}]}, {"anyOf"}),
    ({"oneOf": [{}], "anyOf": [{}]}, {"anyOf"}),
    ({"contains": {}, "maxContains": 1}, {"contains"}),
    ({"items": {}, "allOf": [{}]}, {"items", "allOf"}),
]


@pytest.mark.parametrize(("schema", "left"), WHAT_WOULD_BECOME_STRICT)
def test_what_would_become_stricter_by_something_looser_inside_gives_way(
    schema: Any, left: set[str]
) -> None:
    assert set(visited(schema, loosen=True)[0]) == left
    assert set(visited(schema)[0]) == set(schema)


def test_a_note_follows_the_description_and_is_cut_where_it_is_long() -> None:
    schema: dict[str, Any] = {"description": "Size"}
    append_description(schema, "a multiple of 5")
    assert schema["description"] == "Size (a multiple of 5)"
    empty: dict[str, Any] = {}
    append_description(empty, "x" * 1000)
    assert len(empty["description"]) == 300
