from __future__ import annotations

from typing import Any

from desktop.gui.form.conditions import has_conditions, parts_in_force

THEN, ELSE = {"required": ["then"]}, {"required": ["else"]}


def parts(schema: Any, value: Any, problem: str = "") -> list[Any]:
    return list(parts_in_force(schema, value, lambda _schema, _value: problem))


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
