from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.model.field_spec import ABSENT
from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.union_node import SubschemaValidator, UnionNode

ROOT = {
    "$defs": {"short": {"type": "string", "maxLength": 2}},
    "properties": {"a": {"$ref": "#/$defs/short"}, "self": {"$ref": "#"}},
    "required": ["a"],
}


def test_a_part_is_judged_with_the_references_of_the_whole() -> None:
    verdicts = SubschemaValidator(ROOT)
    part = {"properties": {"x": {"$ref": "#/properties/a"}}}
    assert verdicts.problem(part, {"x": "ab"}) is None
    assert verdicts.problem(part, {"x": "abc"})
    assert verdicts.problem({"$ref": "#"}, {"a": "x", "self": {}})
    assert verdicts.problem({"$ref": "#"}, {"a": "x", "self": {"a": "y"}}) is None


def test_the_whole_itself_asks_nothing_of_the_value() -> None:
    assert SubschemaValidator(ROOT).problem({}, {}) is None
    assert SubschemaValidator(ROOT).problem(True, 5) is None
    assert str(SubschemaValidator(ROOT).problem(False, 5)) == "is never allowed"


def test_any_json_may_stand_where_a_schema_should() -> None:
    odds: list[Any] = [None, 5, [], "x", {"type": 5}, {"$ref": "#/nowhere"}]
    for odd in odds:
        SubschemaValidator(odd).problem(odd, {})


CIRCLE = {
    "type": "object",
    "properties": {
        "kind": {"const": "circle"},
        "r": {"type": "number"},
        "name": {"type": "string"},
    },
    "required": ["kind", "r"],
}
SQUARE = {
    "type": "object",
    "properties": {"kind": {"const": "square"}, "side": {}, "name": {"type": "string"}},
    "required": ["kind"],
}  # fmt: skip
SHAPES = {"oneOf": [CIRCLE, SQUARE]}


def union(schema: Any, value: Any = ABSENT) -> UnionNode:
    model = FormModel({"properties": {"u": schema}})
    if value is not ABSENT:
        model.set_value({"u": value})
    found = model.find(("u",))
    assert isinstance(found, UnionNode)
    return found


CASES: list[tuple[Any, Any, int | None]] = [
    (SHAPES, {"kind": "square", "r": 1}, 1),
    (SHAPES, {"kind": "circle"}, 0),
    (SHAPES, {"side": 1}, 1),
    (SHAPES, {"r": 1}, 0),
    (SHAPES, {"kind": "other"}, None),
    (SHAPES, "text", 2),
    ({"type": ["string", "integer"]}, "x", 0),
    ({"type": ["integer", "string"]}, "x", 1),
    ({"type": ["string", "integer"]}, 1.5, 1),
    ({"anyOf": [{"items": {"type": "string"}}, {"items": {"type": "integer"}}]}, [1], 1),
    ({"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}, "b", 0),
    ({"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}, "c", 1),
    ({"anyOf": [{"required": ["a"]}, {"properties": {"a": {}, "b": {}}}]}, {"b": 1, "a": 1}, 1),
]


@pytest.mark.parametrize(
    ("schema", "value", "index"),
    CASES,
)
def test_the_shape_of_a_value_is_found(schema: Any, value: Any, index: int | None) -> None:
    found = union(schema, value)
    assert (found.index, found.value()) == (index, value)


def test_nothing_is_chosen_before_a_person_does() -> None:
    found = union(SHAPES)
    assert (found.index, found.inner, found.is_absent) == (None, None, True)


def test_another_shape_keeps_what_fits_and_the_way_back_loses_nothing() -> None:
    found = union(SHAPES, {"kind": "circle", "r": 2, "name": "n", "free": 1})
    found.choose(1)
    assert found.value() == {"kind": "square", "name": "n", "free": 1}
    dict(found.children())["name"].set_value("new")
    dict(found.children())["side"].set_value(4)
    found.choose(0)
    assert found.value() == {"kind": "circle", "r": 2, "name": "new", "free": 1}
    found.choose(1)
    assert found.value() == {"kind": "square", "side": 4, "name": "new", "free": 1}


def test_scalars_go_along_where_they_fit() -> None:
    found = union({"type": ["string", "integer"]}, "x")
    found.choose(1)
    assert found.is_absent
    assert found.inner
    found.inner.set_value(5)
    found.choose(0)
    assert found.value() == "x"


def test_unchoosing_sends_nothing_and_null_is_a_state_of_its_own() -> None:
    found = union({"type": ["string", "integer", "null"]}, "x")
    found.choose(None)
    assert found.is_absent
    found.set_value(None)
    assert (found.is_null, found.inner) == (True, None)


def test_json_is_the_last_resort_and_keeps_the_value_for_a_shape_that_fits() -> None:
    found = union(SHAPES, [1])
    assert found.is_json
    assert found.value() == [1]


def test_what_all_shapes_share_can_be_filled_in_before_the_choice() -> None:
    model = FormModel({"oneOf": [CIRCLE, SQUARE], "properties": {"verbose": {"type": "boolean"}}})
    assert isinstance(model.root, UnionNode)
    model.find(("verbose",)).set_value(True)
    assert model.value() == {"verbose": True}
    model.root.choose(1)
    assert model.value() == {"kind": "square", "verbose": True}
