"""Visiting the schemas inside a schema."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.children import map_children
from desktop.llm.formats.report import Path, Report
from desktop.translatable import translatable


def visited(schema: Any, *, loosen: bool = False) -> tuple[Any, dict[Path, str]]:
    report, seen = Report(), dict[Path, str]()

    def visit(child: Any, path: Path, keyword: str) -> dict[str, Any]:
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
