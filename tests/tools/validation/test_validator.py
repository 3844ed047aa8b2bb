"""Whatever the schema and the value are, there is a list of what is wrong, and soon."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from desktop.tools.validation import MAX_ISSUES, find_misfits, validate
from desktop.tools.validation.validator import (
    MAX_CHECKED_SCHEMA,
    compile_schema,
    fast_check,
    find_unknown_arguments,
)

if TYPE_CHECKING:
    from desktop.values.tool_types import ValidationIssue

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def errors(schema: Any, value: Any) -> list[ValidationIssue]:
    return [issue for issue in validate(schema, value) if issue.severity == "error"]


def warnings(schema: Any, value: Any) -> list[str]:
    return [issue.message for issue in validate(schema, value) if issue.severity == "warning"]


def test_arguments_that_fit_have_no_issues() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    for _ in range(2):  # compiled, and once it is
        assert validate(schema, {"a": 2**80}) == []


def test_each_error_has_its_path_its_layer_and_a_person_s_words() -> None:
    schema = {
        "properties": {
            "n": {"type": "integer"},
            "day": {"format": "date"},
            "size": {"enum": ["s", "m", 1]},
            "list": {"items": {"minimum": 3}},
        },
        "required": ["b"],
    }
    found = errors(schema, {"n": "x", "day": "soon", "size": "l", "list": [5, 1]})
    assert [(issue.where, issue.layer, issue.message) for issue in found] == [
        ("n", "type", "must be a whole number, is text"),
        ("day", "format", "must be a date such as 2026-01-31"),
        ("size", "range", "must be one of: s, m, 1"),
        ("list[1]", "range", "must be at least 3"),
        ("b", "rule", "'b' is required"),
    ]


def test_the_alternative_that_was_meant_speaks() -> None:
    nullable = {
        "properties": {"a": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}}
    }
    tagged = {
        "oneOf": [
            {"properties": {"k": {"const": "a"}, "n": {"type": "integer"}}},
            {"properties": {"k": {"const": "b"}}},
        ]
    }
    assert [str(each) for each in errors(nullable, {"a": "x"})] == [
        "a: must have at least 3 characters, has 1"
    ]
    assert [str(each) for each in errors(nullable, {"a": 5})] == [
        "a: must be text or null, is a whole number"
    ]
    assert [str(each) for each in errors(tagged, {"k": "a", "n": "x"})] == [
        "n: must be a whole number, is text"
    ]


def test_a_name_that_is_not_in_the_schema_is_a_warning_that_guesses() -> None:
    schema: dict[str, Any] = {"properties": {"path": {}}}
    assert warnings(schema, {"pth": 1}) == ["is not in the schema; did you mean 'path'?"]
    assert warnings({**schema, "additionalProperties": True}, {"pth": 1}) == []
    assert [
        each.where for each in errors({**schema, "additionalProperties": False}, {"pth": 1})
    ] == ["pth"]


@pytest.mark.parametrize(
    "odd",
    [
        {"$ref": "http://example.test/schema.json"},
        {"$ref": "#/$defs/missing"},
        {"pattern": "(?R)"},
        {"type": "strin"},
        {"minimum": "three"},
        {"properties": 5},
        {"exclusiveMinimum": True},
    ],
)
def test_an_odd_part_warns_and_the_other_checks_still_work(odd: Any) -> None:
    schema = {"properties": {"odd": odd}, "required": ["b"]}
    issues = validate(
        schema,
        {"odd": {"a": 1} if "properties" in odd else 4 if "exclusiveMinimum" in odd else "x"},
    )
    assert "b" in [issue.where for issue in issues if issue.severity == "error"]
    assert "warning" in [issue.severity for issue in issues] or odd.get("minimum")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"not": {"pattern": "(?R)"}}, "x"),
        ({"oneOf": [{"$ref": "http://example.test/a.json"}, {"type": "string"}]}, "x"),
        ({"oneOf": [{"pattern": "(?R)"}, {"pattern": "(?1)"}]}, "x"),
        ({"contains": {"pattern": "(?R)"}, "maxContains": 0}, ["x"]),
        ({"exclusiveMinimum": True}, 0),
        ({"allOf": [{"$ref": "http://x.test/a"}], "unevaluatedProperties": False}, {"a": 1}),
    ],
)
def test_what_could_not_be_checked_is_never_a_reason_to_forbid(schema: Any, value: Any) -> None:
    assert errors(schema, value) == []
    assert warnings(schema, value)


@pytest.mark.parametrize(
    "schema", [5, None, [], "x", {"$schema": 5}, {"$schema": "x:y"}, {"a": object()}]
)
def test_a_schema_that_is_none_never_raises(schema: Any) -> None:
    assert errors(schema, {"a": 1}) == []


def test_a_false_schema_allows_nothing_and_a_true_one_everything() -> None:
    assert errors({"properties": {"a": False}}, {"a": 1})
    assert errors({"properties": {"a": True}}, {"a": 1}) == []


def test_a_schema_that_explodes_is_given_up_with_a_warning() -> None:
    levels = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 9} for i in range(40)}
    schema = {"$defs": {**levels, "d40": {"type": "string"}}, "$ref": "#/$defs/d0"}
    assert any("too complex" in each or "too deeply" in each for each in warnings(schema, "x"))


def test_the_limits_hold_where_a_reference_leads_back_to_another_draft() -> None:
    schema = {"$schema": DRAFT_7, "allOf": [{"$ref": "#"}, {"$ref": "#"}], "required": ["q"]}
    assert "q" in [issue.where for issue in errors({**schema, "definitions": {}}, {})] or warnings(
        schema, {}
    )


def test_the_limits_hold_below_a_part_that_names_a_draft() -> None:
    part: Any = {"$schema": DRAFT_7, "deprecated": True, "pattern": "(?R)"}
    for schema in ({"properties": {"a": part}}, {"properties": {"a": {"allOf": [part]}}}):
        said = warnings(schema, {"a": "a"})
        assert any("deprecated" in text for text in said)
        assert any("uses an unsupported dialect" in text for text in said)


def test_a_value_that_has_a_member_called_like_a_keyword_is_compared_as_it_is() -> None:
    for value in ({"$schema": DRAFT_7}, {"minimum": 1, "exclusiveMinimum": True}):
        assert errors({"enum": [value]}, value) == errors({"const": value}, value) == []


def test_a_recursive_schema_checks_every_level() -> None:
    schema = {"properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}}
    assert [each.where for each in errors(schema, {"next": {"next": {"n": "x"}}})] == [
        "next.next.n"
    ]


def test_a_pattern_that_would_hang_is_given_up_with_a_warning() -> None:
    pattern, text = "^(?:(?:a{1,9}){1,9}){1,9}$", "a" * 60 + "!"
    assert any("could take too long" in each for each in warnings({"pattern": pattern}, text))
    assert warnings({"patternProperties": {pattern: {}}}, {text: 1})


def test_the_list_is_bounded() -> None:
    assert len(validate({"items": {"type": "string"}}, [1] * 1000)) == MAX_ISSUES


def test_deep_schemas_and_deep_values_end() -> None:
    deep: Any = {}
    value: Any = {}
    for _ in range(3000):
        deep, value = {"properties": {"a": deep}}, {"a": value}
    assert warnings(deep, value)
    assert not errors(deep, {})  # Python before 3.12 cannot even read it, later ones need not
    assert warnings({"properties": {"a": {"$ref": "#"}}}, value)


def test_the_schema_is_left_as_it_was() -> None:
    schema = {"$schema": DRAFT_7, "properties": {"a": {"default": 1}}}
    before = json.dumps(schema)
    validate(schema, {})
    assert json.dumps(schema) == before


def test_numbers_beyond_floats_are_checked() -> None:
    assert [each.message for each in errors({"maximum": 10}, 10**400)] == ["must be at most 10"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
    | st.sampled_from(["#", "#/properties/a", "http://127.0.0.1:1/x", "string", "^(a+)+$"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)  # fmt: skip
SCHEMA: st.SearchStrategy[Any] = st.recursive(
    JSON,
    lambda inner: (
        st.dictionaries(
            st.sampled_from(sorted(Draft202012Validator.VALIDATORS)), inner | JSON, max_size=4
        )
        | st.fixed_dictionaries({"properties": st.dictionaries(st.sampled_from("ab"), inner)})
    ),
    max_leaves=12,
)


@given(SCHEMA, JSON)
def test_whatever_schema_and_value_are_there_is_a_verdict(schema: Any, value: Any) -> None:
    for issue in validate(schema, value):
        assert str(issue)
        assert json.dumps(issue.to_json())


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real tools is not here")
def test_no_real_schema_is_found_odd() -> None:
    for file in sorted(CORPUS.glob("*.json")):
        for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]:
            assert warnings(tool["inputSchema"], {}) == [], (file.name, tool["name"])


# --- compiled schemas -------------------------------------------------------------------------


def test_the_same_and_equal_schemas_share_one() -> None:
    schema: dict[str, Any] = {"type": "object", "title": "shared"}
    assert compile_schema(schema) is compile_schema(schema)
    assert compile_schema(dict(schema)) is compile_schema(schema)


def test_what_is_odd_about_a_schema_is_found_unless_it_is_very_long() -> None:
    odd = {"properties": {"a": {"type": "strin"}}}
    assert "not valid at properties.a.type" in compile_schema(odd).oddity
    spare = MAX_CHECKED_SCHEMA - len(json.dumps(odd | {"description": ""}))
    assert compile_schema(odd | {"description": "x" * spare}).oddity != ""
    assert compile_schema(odd | {"description": "x" * (spare + 1)}).oddity == ""
    simple: Any = {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a", "a"]}
    for _ in range(2):  # once it is compiled, too
        assert len(warnings(simple, {"a": None})) == 1
    whole = {"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": True}
    assert any("schema is not valid: " in text for text in warnings(whole, {}))


def test_a_schema_that_uses_what_is_deprecated_or_foreign_is_not_odd() -> None:
    schema = {"definitions": {"a": {"pattern": "(?R)"}}, "$id": "not a uri", "format": "date"}
    assert compile_schema(schema).oddity == ""


def test_threads_may_check_side_by_side() -> None:
    schemas: list[Any] = [{"maximum": n % 300} for n in range(2_000)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(validate, schemas, [1_000] * len(schemas)))
    assert {len(issues) for issues in found} == {1}


# --- the fast check ---------------------------------------------------------------------------

ADD: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"a": {"type": "number", "description": "one"}, "b": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}
NAMES = st.sampled_from(["a", "b", "c", "$ref", "type"])
KINDS = st.sampled_from(["string", "boolean", "integer", "number", "null", "array", "odd"])
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.none(), max_size=1)
)
SCHEMAS: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["object", "object", "object", "array"]),
        "properties": st.dictionaries(
            NAMES, st.fixed_dictionaries({"type": KINDS}, optional={"default": VALUES})
        ),
    },
    optional={
        "required": st.lists(NAMES, max_size=2),
        "additionalProperties": st.booleans(),
        "minProperties": st.integers(0, 2),
    },
)


@given(schema=SCHEMAS, arguments=st.dictionaries(NAMES, VALUES))
def test_what_fits_the_fast_check_has_no_finding(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    fits = fast_check(schema)
    if fits is not None and fits(arguments):
        assert find_misfits(schema, arguments) == []
        assert list(find_unknown_arguments(schema, arguments)) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"a": 1}, True),
        ({"a": 1.5, "b": 2}, True),
        ({}, False),
        ({"a": True}, False),
        ({"a": 1, "b": 2.0}, False),
        ({"a": 1, "c": 2}, False),
        ([], False),
        (None, False),
    ],
)
def test_only_what_surely_fits_is_called_so(arguments: Any, expected: bool) -> None:
    fits = fast_check(ADD)
    assert fits is not None
    assert fits(arguments) is expected


@pytest.mark.parametrize(
    ("kind", "value"),
    [("string", "x"), ("boolean", True), ("integer", 1), ("number", 1), ("number", 1.5),
     ("null", None)],
)  # fmt: skip
def test_each_simple_type_is_judged(kind: str, value: Any) -> None:
    schema = {"title": "t", "description": "d", "type": "object", "properties": {"a": {
        "type": kind, "title": "t", "description": "d", "default": value, "examples": [value],
    }}}  # fmt: skip
    fits = fast_check(schema)
    assert fits is not None
    assert fits({"a": value})
    assert not fits({"a": []})


@pytest.mark.parametrize(
    "change",
    [
        {"minProperties": 1},
        {"anyOf": []},
        {"type": ["object", "null"]},
        {"properties": {"a": {"type": "string", "format": "date"}}},
        {"properties": {"a": {"type": "string", "deprecated": True}}},
        {"properties": {"a": {"type": "object"}}},
        {"properties": {"a": True}},
        {"properties": []},
        {"required": True},
        {"$schema": "http://json-schema.org/draft-03/schema#"},
    ],
)
def test_a_schema_that_asks_for_more_is_not_judged(change: dict[str, Any]) -> None:
    assert fast_check({**ADD, **change}) is None


@pytest.mark.parametrize("schema", [True, None, [], "object", {}])
def test_what_is_no_object_schema_is_not_judged(schema: Any) -> None:
    assert fast_check(schema) is None


# --- unknown arguments ------------------------------------------------------------------------


def test_unknown_names_are_found_in_objects_and_lists() -> None:
    schema: Any = {"properties": {"rows": {"items": {"properties": {"id": {}}}}}}
    found = list(find_unknown_arguments(schema, {"rows": [{"id": 1}, {"ix": 1}], "extra": 2}))
    assert [issue.where for issue in found] == ["rows[1].ix", "extra"]
    assert {issue.layer for issue in found} == {"rule"}
    assert {issue.severity for issue in found} == {"warning"}


@pytest.mark.parametrize(
    "keyword",
    ["additionalProperties", "patternProperties", "unevaluatedProperties", "$ref", "allOf", "anyOf",
     "oneOf", "if", "dependentSchemas", "$dynamicRef", "dependencies"],
)  # fmt: skip
def test_each_keyword_that_may_bring_names_leaves_all_names_alone(keyword: str) -> None:
    schema: Any = {"properties": {"a": {}}}
    assert list(find_unknown_arguments(schema, {"b": 1}))
    assert list(find_unknown_arguments(schema | {keyword: {}}, {"b": 1})) == []


def test_unknown_names_are_looked_for_to_a_depth_and_near_ones_among_so_many() -> None:
    schema: Any = {"properties": {"a": {}}}
    value: Any = {"b": 1}
    for _ in range(20):
        schema, value = {"items": schema}, [value]
    assert [len(issue.path) for issue in find_unknown_arguments(schema, value)] == [21]
    assert list(find_unknown_arguments({"items": schema}, [value])) == []

    few, many = (dict.fromkeys(f"name{n}" for n in range(count)) for count in (199, 200))
    assert "did you mean 'name1'?" in str(
        next(find_unknown_arguments({"properties": few}, {"name1x": 1}))
    )
    assert "did you mean" not in str(
        next(find_unknown_arguments({"properties": many}, {"name1x": 1}))
    )


def test_nothing_is_said_where_the_schema_is_open_or_not_plain() -> None:
    closed: list[Any] = [{"additionalProperties": {}}, {"allOf": []}, {"patternProperties": {}}]
    for extra in closed:
        assert not list(find_unknown_arguments({"properties": {}, **extra}, {"a": 1}))


def test_jsonschema_is_imported_with_the_first_validation_and_not_before() -> None:
    code = """
import sys
import desktop.tools.validation.formats, desktop.tools.validation.messages
import desktop.tools.validation.rules
print("jsonschema" in sys.modules)
from desktop.tools.validation import validate
print("jsonschema" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]
