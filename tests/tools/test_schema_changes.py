"""A change of a schema is found at its place and judged from the side of whoever relies on it."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.comparison import MAX_CHANGES, find_changes


def judged(old: Any, new: Any, side: Any = "input") -> list[tuple[str, str, bool]]:
    return [(each.where, each.words, each.is_breaking) for each in find_changes(old, new, side)]


def holding(schema: Any, *required: str) -> Any:
    return {"type": "object", "properties": {"a": schema}, "required": list(required)}


A, B = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new", "breaks_input", "breaks_output"),
    [
        ({"type": "integer"}, {"type": "number"}, False, True),
        ({"type": "string"}, {"type": ["string", "null"]}, False, True),
        ({}, {"type": "string"}, True, False),
        ({"enum": [1, 2]}, {"enum": [1, 2, 3]}, False, True),
        ({"enum": [1, 2]}, {"enum": [2, 3]}, True, True),
        ({}, {"enum": [1]}, True, False),
        ({"const": 1}, {}, False, True),
        ({"minimum": 1}, {"minimum": 2}, True, False),
        ({"maximum": 1}, {"maximum": 2}, False, True),
        ({}, {"maxLength": 5}, True, False),
        ({"minItems": 1}, {}, False, True),
        ({"pattern": "a"}, {"pattern": "b"}, True, True),
        ({}, {"pattern": "b"}, True, False),
        ({"anyOf": [A]}, {"anyOf": [A, B]}, True, True),
        ({"items": A}, {"items": B}, True, True),
        ({"additionalProperties": True}, {"additionalProperties": False}, True, False),
        ({"additionalProperties": False}, {}, False, True),
        ({"description": "x"}, {"description": "y"}, False, False),
    ],
)
def test_less_breaks_arguments_and_more_breaks_output(
    old: Any, new: Any, breaks_input: bool, breaks_output: bool
) -> None:
    for side, breaks in (("input", breaks_input), ("output", breaks_output)):
        found = judged(holding(old), holding(new), side)
        assert found, "the change is not seen"
        assert any(is_breaking for *_, is_breaking in found) == breaks, (side, found)
        assert all(where.startswith("a") for where, *_ in found)


def test_members_that_come_go_or_are_needed() -> None:
    empty: Any = {"type": "object", "properties": {}}
    assert judged(empty, holding(A)) == [("a", "is new", False)]
    assert judged(empty, holding(A, "a")) == [("a", "is new and required", True)]
    assert judged(empty, holding(A, "a"), "output") == [("a", "is new and required", False)]
    assert judged(holding(A), empty) == [("a", "was removed", True)]
    assert judged(holding(A), holding(A, "a")) == [("a", "is required now", True)]
    assert judged(holding(A, "a"), holding(A), "output") == [("a", "is no longer required", True)]


def test_a_reference_is_what_it_leads_to() -> None:
    by_reference = {**holding({"$ref": "#/$defs/x~1y"}), "$defs": {"x/y": A}}
    assert judged(holding(A), by_reference) == []
    assert judged(by_reference, holding(B))[0][0] == "a"
    endless = {"$ref": "#"}
    assert isinstance(judged(endless, holding(A)), list)


CUSTOMER = {"$ref": "#/$defs/Customer"}


def referring(order: Any, **customer: Any) -> Any:
    """Arguments behind two references, as every nested model of pydantic or zod has them."""
    whom = {"type": "object", "properties": {"id": A}, **customer}
    return {**holding({"$ref": "#/$defs/Order"}), "$defs": {"Order": order, "Customer": whom}}


@pytest.mark.parametrize(
    "order",
    [
        holding(CUSTOMER),
        holding({"$ref": "#/$defs/Customer", "description": "who"}),
        holding({"$ref": "#who"}),
        holding({"$dynamicRef": "#who"}),
        {"items": CUSTOMER},
        {"additionalProperties": CUSTOMER},
        {"anyOf": [CUSTOMER, {"type": "null"}]},
        {"oneOf": [CUSTOMER]},
        {"allOf": [CUSTOMER]},
        {"not": CUSTOMER},
        {"if": holding(CUSTOMER), "then": True},
        {"patternProperties": {"^x": CUSTOMER}},
        {"prefixItems": [A, CUSTOMER]},
        {"dependentSchemas": {"x": CUSTOMER}},
    ],
)
def test_what_equal_texts_refer_to_is_compared_wherever_they_stand(order: Any) -> None:
    marked = {"$anchor": "who", "$dynamicAnchor": "who"}
    old = referring(order, **marked)
    assert judged(old, referring(order, **marked, required=["id"]))[0][2]
    assert judged(old, referring(order, **marked, properties={"id": B}))[0][2]
    assert judged(old, {**referring(order, **marked), "title": "another"}) == [
        ("", "title changed", False)
    ]


def test_a_schema_that_refers_to_itself_is_compared_once() -> None:
    node = {"$ref": "#/$defs/Customer"}
    old = referring(holding(CUSTOMER), properties={"id": A, "friend": node})
    new = referring(holding(CUSTOMER), properties={"id": B, "friend": node})
    assert judged(old, {**old, "description": "x"}) == [("", "description changed", False)]
    assert [where for where, *_ in judged(old, new)] == ["a.a.id"]


def test_what_stands_beside_a_reference_counts() -> None:
    narrower = {**CUSTOMER, "required": ["id"]}
    old, new = referring(holding(CUSTOMER)), referring(holding(narrower))
    assert judged(old, new) == [("a.a.id", "is required now", True)]


def test_a_reference_that_leads_elsewhere_cannot_be_judged() -> None:
    old, new = holding({"$ref": "https://x.example/1"}), holding({"$ref": "https://x.example/2"})
    assert judged(old, new) == [("a", "what it refers to changed", True)]
    assert judged(old, {**old, "title": "x"}) == [("", "title changed", False)]


def test_a_strangers_schema_is_bounded() -> None:
    deep: Any = {"type": "string"}
    other: Any = {"type": "integer"}
    for _ in range(200):
        deep, other = holding(deep), holding(other)
    assert "too deep" in judged(deep, other)[-1][1]
    layers: dict[str, Any] = {
        str(n): {"anyOf": [{"$ref": f"#/$defs/{n + 1}"}] * 6} for n in range(30)
    }
    laughs = [{"$ref": "#/$defs/0", "$defs": {**layers, "30": last}} for last in (A, B)]
    assert judged(*laughs)[0][2]
    wide = {"properties": {str(n): A for n in range(20_000)}}
    assert len(judged(wide, {"properties": {}})) == MAX_CHANGES
    odds: list[Any] = [
        *(True, None, [], "x"),
        {"properties": 1, "required": "a", "type": {}, "enum": 3},
    ]
    for odd in odds:
        assert isinstance(judged(odd, holding(A)), list)
        assert isinstance(judged(holding(A), odd), list)
