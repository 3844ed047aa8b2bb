"""What is required and has a default may be left out of a call: the server fills it in."""

from __future__ import annotations

from typing import Any, cast

import pytest

from desktop.tools.validation import find_misfits, validate
from tests.corpus import corpus, needs_corpus

SCALE: Any = {"type": "string", "enum": ["css", "device"], "default": "css"}
ONE: Any = {"properties": {"n": SCALE}, "required": ["n"]}
DEFS: Any = {"$defs": {"Scale": SCALE, "Indirect": {"$ref": "#/$defs/Scale"}, "One": ONE}}
MISSING: Any = {"required": ["n"]}
REQUIRED_IN_PLACE: dict[str, Any] = {
    "anyOf": {"anyOf": [MISSING]},
    "oneOf": {"oneOf": [MISSING]},
    "$ref": {"$defs": {"missing": MISSING}, "$ref": "#/$defs/missing"},
    "$dynamicRef": {"$defs": {"missing": MISSING}, "$dynamicRef": "#/$defs/missing"},
    "dependentSchemas": {"dependentSchemas": {"a": MISSING}},
    "dependencies": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "dependencies": {"a": MISSING},
    },
    "unevaluatedProperties": {
        "anyOf": [MISSING | {"properties": {"a": {}}}],
        "unevaluatedProperties": False,
    },
}
"""By keyword a schema that makes `n` required for the very value that it stands beside."""
NEEDED: Any = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}


def errors(schema: Any, value: Any) -> list[str]:
    return [str(issue) for issue in validate(schema, value) if issue.severity == "error"]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (ONE, {}),
        ({"properties": {"in": {"properties": {"deep": ONE}}}}, {"in": {"deep": {}}}),
        ({"properties": {"rows": {"items": ONE}}}, {"rows": [{}, {"n": "device"}]}),
        ({"additionalProperties": ONE}, {"any": {}}),
        (DEFS | {"properties": {"n": {"$ref": "#/$defs/Scale"}}, "required": ["n"]}, {}),
        (DEFS | {"properties": {"n": {"$ref": "#/$defs/Indirect"}}, "required": ["n"]}, {}),
        (DEFS | {"properties": {"n": {"allOf": [{"$ref": "#/$defs/Scale"}]}}} | MISSING, {}),
        (DEFS | {"$ref": "#/$defs/One"}, {}),
        ({"allOf": [{"properties": {"n": SCALE}}, {"required": ["n"]}]}, {}),
        ({"properties": {"n": SCALE}, "allOf": [{"allOf": [{"required": ["n"]}]}]}, {}),
        ({"allOf": [{"properties": {"n": SCALE}}], "required": ["n"]}, {}),
        (DEFS | {"allOf": [{"$ref": "#/$defs/One"}, {"required": ["n"]}]}, {}),
        ({"anyOf": [ONE | {"additionalProperties": False}, {"required": ["x"]}]}, {}),
        ({"properties": {"n": {"type": ["string", "null"], "default": None}}} | MISSING, {}),
        ({"properties": {"o": ONE | {"default": {}}}, "required": ["o"]}, {}),
        ({"properties": {"n": SCALE | {"deprecated": True}}} | MISSING, {}),
        ({"properties": {"a": {}, "n": SCALE}, "dependentRequired": {"a": ["n"]}}, {"a": 1}),
        ({"properties": {"a": {}, "n": SCALE}, "dependencies": {"a": ["n"]}}, {"a": 1}),
        ({"properties": {"n": SCALE}, "if": {"required": ["a"]}, "then": MISSING}, {"a": 1}),
        ({"$schema": "http://json-schema.org/draft-07/schema#"} | ONE, {}),
        *[(REQUIRED_IN_PLACE[name] | {"properties": {"n": SCALE}}, {"a": 1})
          for name in REQUIRED_IN_PLACE],
        ({"properties": {"in": {"properties": {"n": SCALE}, "$recursiveRef": "#"}}, **MISSING,
          "$schema": "https://json-schema.org/draft/2019-09/schema"}, {"n": "css", "in": {}}),
    ],
)  # fmt: skip
def test_a_missing_value_with_a_default_that_fits_is_no_error(schema: Any, value: Any) -> None:
    assert errors(schema, value) == []


@pytest.mark.parametrize(
    "rule",
    [
        {"type": "string", "default": None},
        {"type": "string", "enum": ["a"], "default": "b"},
        {"type": "integer", "maximum": 3, "default": 5},
        {"type": "object", "required": ["x"], "default": {}},
        {"type": "string", "const": "a"},
        {"$ref": "#/$defs/Missing", "default": 1},
        {"allOf": [{"default": "x"}, {"type": "integer"}]},
        {"$ref": "#"},
    ],
)
def test_a_default_that_does_not_fit_leaves_the_value_required(rule: Any) -> None:
    schema: Any = {"properties": {"n": rule}, "required": ["n"]}
    expected = [] if "Missing" in str(rule) else ["n: 'n' is required"]
    assert errors(schema, {}) == expected  # what a lost reference asks for is never an error


def test_a_default_that_another_part_of_the_schema_forbids_leaves_the_value_required() -> None:
    both: Any = [{"properties": {"n": {"default": 5}}}, {"properties": {"n": {"maximum": 3}}}]
    assert errors({"allOf": both, "required": ["n"]}, {}) == ["n: 'n' is required"]


def test_the_default_of_another_object_is_none_for_this_one() -> None:
    schema: Any = {"allOf": [{"properties": {"n": SCALE, "in": {"allOf": [MISSING]}}}]}
    assert errors(schema, {"in": {}}) == ["in.n: 'n' is required"]


def test_an_object_that_is_missing_is_not_made_up_of_the_defaults_inside_it() -> None:
    assert errors({"properties": {"o": ONE}, "required": ["o"]}, {}) == ["o: 'o' is required"]


def test_what_is_given_is_still_judged() -> None:
    assert errors(ONE, {"n": "print"})
    assert errors({"properties": {"n": SCALE}, "required": ["n", "m"]}, {}) == [
        "m: 'm' is required"
    ]


KINDS: Any = {
    "oneOf": [
        {"properties": {"kind": {"const": "a"}, "n": SCALE}, "required": ["kind", "n"]},
        {"properties": {"kind": {"const": "b"}, "m": {}}, "required": ["kind", "m"]},
    ]
}


def test_one_of_several_shapes_may_leave_its_defaults_out() -> None:
    assert errors(KINDS, {"kind": "a"}) == []
    assert errors(KINDS, {"kind": "b"}) == ["m: 'm' is required"]
    closed = KINDS | {"unevaluatedProperties": False}
    assert errors(closed, {"kind": "a"}) == []
    assert errors({"items": KINDS}, [{"kind": "a"}, {"kind": "a", "n": "css"}]) == []
    assert errors({"contains": ONE | {"type": "object"}}, [{}]) == []


FITTED: list[tuple[dict[str, Any], Any]] = [
    ({"oneOf": [{"required": ["n"]}, {"required": ["m"]}]}, {"m": 1}),
    ({"oneOf": [{"not": {"required": ["n"]}}, {"required": ["n"]}]}, {}),
    ({"not": {"required": ["n"]}}, {}),
    ({"if": {"required": ["n"]}, "then": {"required": ["m"]}}, {}),
    ({"not": ONE}, {}),
    ({"contains": ONE, "maxContains": 1}, [{"n": "css"}, {}]),
    ({"if": ONE, "else": {"properties": {"m": {}}}, "unevaluatedProperties": False}, {"m": 1}),
    ({"if": {"prefixItems": [ONE]}, "else": {"items": {}}, "unevaluatedItems": False}, [{}, 1]),
]


@pytest.mark.parametrize(("schema", "value"), FITTED)
def test_nothing_that_fitted_is_refused_because_of_a_default(schema: Any, value: Any) -> None:
    assert errors({"properties": {"n": SCALE}} | schema, value) == []


def test_a_schema_that_refers_to_itself_in_a_circle_has_no_default() -> None:
    circle: Any = {"$ref": "#/$defs/b"}, {"allOf": [{"$ref": "#/$defs/a"}]}
    schema: Any = {
        "$defs": {"a": circle[0], "b": circle[1]},
        "properties": {"n": {"$ref": "#/$defs/a"}},
        "required": ["n"],
    }
    assert errors(schema, {}) == ["n: 'n' is required"]


def test_looking_for_defaults_is_bounded() -> None:
    many: Any = {"properties": {"n": {"allOf": [{"minimum": 0}] * 100}}}
    deep: Any = {"properties": {"n": {}}}
    for _ in range(3_000):
        deep = cast("Any", {"allOf": [deep, many]})
    schema: Any = {"allOf": [{"required": [f"n{n}" for n in range(20_000)]}] * 50, "if": deep}
    assert validate(schema, {})  # ends, with whatever verdict


def test_what_a_tool_answers_has_to_be_whole() -> None:
    assert [str(issue) for issue in find_misfits(NEEDED, {})] == ["n: 'n' is required"]
    assert [str(issue) for issue in find_misfits(ONE, {})] == ["n: 'n' is required"]


@needs_corpus
def test_no_real_tool_asks_for_what_it_has_a_default_for() -> None:
    found = 0
    for tool in corpus():
        schema: Any = tool.input_schema
        has_default = {
            name
            for name in schema.get("required", [])
            if "default" in schema.get("properties", {}).get(name, {})
        }
        found += len(has_default)
        missing = {issue.path[0] for issue in validate(schema, {}) if issue.code == "required"}
        assert not has_default & missing, (tool.key, has_default & missing)
    assert found >= 8
