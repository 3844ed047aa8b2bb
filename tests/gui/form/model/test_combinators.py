from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.model.combinators import (
    MAX_PARTS,
    MAX_SHAPES,
    Alternatives,
    ContradictionError,
    References,
    conditional_parts,
    has_conditions,
    merge_all_of,
    names_of,
    option_label,
    read_alternatives,
    reference_name,
)


def test_what_is_of_another_shape_counts_as_empty() -> None:
    assert names_of("ab") == []
    assert names_of(["a", 1, "a", None, "b"]) == ["a", "b"]


ROOT: dict[str, Any] = {
    "$defs": {
        "a/b": {"type": "string"},
        "loop": {"$ref": "#/$defs/loop"},
        "two": {"$ref": "#/$defs/a~1b", "title": "Two"},
        "named": {"$anchor": "here", "type": "integer"},
    },
    "list": [{"type": "boolean"}],
}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#/$defs/a~1b", {"type": "string"}),
        ("#/$defs/two", {"type": "string", "title": "Two"}),
        ("#/list/0", {"type": "boolean"}),
        ("#here", {"$anchor": "here", "type": "integer"}),
        ("#", ROOT),
    ],
)
def test_local_references_are_followed(reference: str, found: Any) -> None:
    assert References(ROOT).resolved({"$ref": reference}) == found


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/loop", "#/list/7", "#/list/x", "#nowhere", "http://example.test/x", "file:///x", 5],
)
def test_dead_ends_circles_and_foreign_places_stay_as_they_are(reference: Any) -> None:
    assert "$ref" in References(ROOT).resolved({"$ref": reference})


def test_the_last_word_of_a_reference_is_its_name() -> None:
    assert reference_name({"$ref": "#/$defs/My%20Shape"}) == "My Shape"
    assert reference_name({"$ref": 5}) == reference_name({}) == ""


THEN, ELSE = {"required": ["then"]}, {"required": ["else"]}


def parts(schema: Any, value: Any, problem: str = "") -> list[Any]:
    return list(conditional_parts(schema, value, lambda _schema, _value: problem))


def test_the_branch_that_holds_is_in_force() -> None:
    schema = {"if": {}, "then": THEN, "else": ELSE}
    assert parts(schema, {}) == [THEN]
    assert parts(schema, {}, "is wrong") == [ELSE]
    assert parts({"allOf": [schema, schema]}, {}) == [THEN, THEN]
    assert parts({"if": True, "then": 5}, {}) == [{}]


def test_what_depends_on_a_property_is_in_force_with_it() -> None:
    schema = {
        "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"a": THEN, "z": ELSE},
        "dependencies": {"a": ["c"]},
    }
    assert parts(schema, {}) == []
    assert parts(schema, {"a": 1}) == [THEN, {"required": ["b"]}, {"required": ["c"]}]


def test_conditions_are_found_wherever_they_stand() -> None:
    assert has_conditions({"if": {}})
    assert has_conditions({"dependencies": {}})
    assert has_conditions({"allOf": [{"if": {}, "then": {}}]})
    assert not has_conditions({"allOf": [{"type": "object"}, 5], "then": {}})


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
    assert merge_all_of([one, other]) == both


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string"}, {"type": "number"}),
        ({"const": 1}, {"const": True}),
        ({"enum": ["a"]}, {"enum": ["b"]}),
    ],
)
def test_what_cannot_hold_together_is_a_contradiction(one: Any, other: Any) -> None:
    with pytest.raises(ContradictionError):
        merge_all_of([one, other])


def test_conditions_stay_apart() -> None:
    condition = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}
    assert merge_all_of([{"type": "object"}, condition, condition])["allOf"] == [
        condition,
        condition,
    ]


def test_a_bomb_of_parts_is_refused() -> None:
    with pytest.raises(ContradictionError):
        merge_all_of([{}] * (MAX_PARTS + 1))


def read(schema: Any) -> Alternatives | None:
    return read_alternatives(References({"$defs": {"A": {"type": "string"}}}), schema)


def test_one_shape_beside_null_is_that_shape() -> None:
    found = read({"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "T"})
    assert found == Alternatives({"type": "integer", "title": "T"}, has_null=True)


def test_constants_are_a_choice_with_titles() -> None:
    found = read({"oneOf": [{"const": 1, "title": "one"}, {"const": "b"}]})
    assert found == Alternatives({"enum": [1, "b"], "enumNames": ["one", "b"]})


def test_shapes_carry_what_all_share_and_the_name_they_were_referred_by() -> None:
    found = read({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "number"}], "title": "T", "minimum": 1})
    assert found
    assert [(shape.schema, shape.reference) for shape in found.shapes] == [
        ({"minimum": 1, "type": "string"}, "A"),
        ({"minimum": 1, "type": "number"}, ""),
    ]


def test_impossible_and_repeated_shapes_are_left_out() -> None:
    found = read({"type": "object", "anyOf": [{"type": "string"}, {"title": "a"}, {"title": "a"}]})
    assert found == Alternatives({"type": "object", "title": "a"})


def test_nothing_to_choose_from_and_too_much_are_none() -> None:
    assert read({"anyOf": []}) is None
    assert read({"anyOf": [{"type": "null"}]}) is None
    assert read({"anyOf": [{"title": str(n)} for n in range(MAX_SHAPES + 1)]}) is None


def test_a_choice_is_named_by_its_value() -> None:
    assert [option_label(value) for value in ("a", "", 1, None)] == ["a", '""', "1", "null"]
