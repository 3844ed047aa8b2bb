from __future__ import annotations

from typing import Any

from desktop.gui.form.verdicts import SubschemaValidator

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
