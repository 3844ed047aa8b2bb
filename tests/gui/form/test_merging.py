from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.merging import MOST_PARTS, ContradictionError, merged


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ({"minimum": 1}, {"minimum": 3, "maximum": 5}, {"minimum": 3, "maximum": 5}),
        ({"maxLength": 9}, {"maxLength": "big"}, {"maxLength": 9}),
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}),
        ({"type": ["string", "null"]}, {"type": "string"}, {"type": "string"}),
        ({"enum": [1, "a", True]}, {"enum": ["a", 1]}, {"enum": [1, "a"]}),
        ({"required": ["a"]}, {"required": ["b", "a", 5]}, {"required": ["a", "b"]}),
        ({"title": "first"}, {"title": "second"}, {"title": "first"}),
        ({"additionalProperties": {}}, *[{"additionalProperties": False}] * 2),
        (
            {"properties": {"a": {"type": "string"}}},
            {"properties": {"a": {"maxLength": 3}, "b": True}},
            {"properties": {"a": {"allOf": [{"type": "string"}, {"maxLength": 3}]}, "b": True}},
        ),
    ],
)  # fmt: skip
def test_two_parts_make_the_narrower_one(one: Any, other: Any, both: Any) -> None:
    assert merged([one, other]) == both


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string"}, {"type": "number"}),
        ({"const": 1}, {"const": 1.0}),
        ({"enum": ["a"]}, {"enum": ["b"]}),
    ],
)
def test_what_cannot_hold_together_is_a_contradiction(one: Any, other: Any) -> None:
    with pytest.raises(ContradictionError):
        merged([one, other])


def test_conditions_stay_apart() -> None:
    condition = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}
    assert merged([{"type": "object"}, condition, condition])["allOf"] == [condition, condition]


def test_a_bomb_of_parts_is_refused() -> None:
    with pytest.raises(ContradictionError):
        merged([{}] * (MOST_PARTS + 1))
