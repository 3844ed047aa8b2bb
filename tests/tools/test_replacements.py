"""The keywords that are checked our way mean what the standard says."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.validation import find_misfits


def errors(schema: Any, value: Any) -> list[str]:
    return [
        str(find_misfit)
        for find_misfit in find_misfits(schema, value)
        if find_misfit.severity == "error"
    ]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"pattern": "b"}, "abc", "xyz"),
        ({"required": ["a"]}, {"a": None}, {}),
        ({"uniqueItems": True}, [1, True, "1"], [{"a": 1}, {"a": 1.0}]),
        ({"patternProperties": {"^x": {"type": "integer"}}}, {"x1": 1, "y": "z"}, {"x1": "y"}),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"a": 1}, {"b": 1}),
        ({"additionalProperties": {"type": "integer"}}, {"b": 1}, {"b": "x"}),
        ({"propertyNames": {"pattern": "^[a-z]+$"}}, {"ab": 1}, {"A": 1}),
        ({"format": "uuid"}, 5, "x"),
    ],
)
def test_good_passes_bad_does_not_and_other_kinds_are_not_meant(
    schema: Any, good: Any, bad: Any
) -> None:
    assert errors(schema, good) == []
    assert errors(schema, bad)
    assert errors(schema, 7) == []


def test_a_name_that_a_foreign_pattern_may_cover_is_allowed() -> None:
    schema: Any = {"patternProperties": {r"^\p{L}+$": {}}, "additionalProperties": False}
    assert errors(schema, {"name": 1}) == []
