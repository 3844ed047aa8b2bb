"""An issue has what a program needs, and nothing of the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from desktop.base.translatable import TranslatableText
from desktop.tools.validation import validate
from desktop.tools.validation.validator import best_match

if TYPE_CHECKING:
    from desktop.values.tool_types import ValidationIssue


def found(schema: Any, value: Any) -> ValidationIssue:
    (issue,) = validate(schema, value)
    return issue


def test_each_kind_of_issue_has_its_code_and_its_message() -> None:
    cases: list[tuple[Any, Any, str, str]] = [
        ({"type": ["array"]}, 5, "type", "must be a list, is a whole number"),
        ({"type": ["string", "array"]}, None, "type", "must be text or a list, is null"),
        ({"minimum": 3}, 1, "minimum", "must be at least 3"),
        ({"maximum": 0.5}, 1, "maximum", "must be at most 0.5"),
        ({"exclusiveMinimum": 3}, 3, "exclusiveMinimum", "must be more than 3"),
        ({"exclusiveMaximum": 3}, 3, "exclusiveMaximum", "must be less than 3"),
        ({"multipleOf": 2}, 3, "multipleOf", "must be a multiple of 2"),
        ({"maxLength": 2}, "abc", "maxLength", "must have at most 2 characters, has 3"),
        ({"minLength": 1}, "", "minLength", "must have at least 1 character, has 0"),
        ({"minItems": 1}, [], "minItems", "must have at least 1 item, has 0"),
        ({"maxItems": 0}, [1], "maxItems", "must have at most 0 items, has 1"),
        ({"minProperties": 1}, {}, "minProperties", "must have at least 1 property, has 0"),
        ({"maxProperties": 2}, {"a": 1, "b": 1, "c": 1}, "maxProperties",
         "must have at most 2 properties, has 3"),
        ({"enum": ["a", 1]}, "b", "enum", "must be one of: a, 1"),
        ({"format": "date"}, "x", "format", "must be a date such as 2026-01-31"),
        ({"pattern": "^a"}, "b", "pattern", "must match the pattern ^a"),
        ({"const": None}, "b", "const", "must be null"),
        ({"required": ["a"]}, {}, "required", "'a' is required"),
        ({"additionalProperties": False}, {"a": 1}, "additionalProperties", "'a' is not allowed"),
        ({"properties": {"path": {}}}, {"pth": 1}, "undeclared",
         "is not in the schema; did you mean 'path'?"),
        ({"uniqueItems": True}, [1, 1], "uniqueItems", "must not have the same item twice"),
        ({"oneOf": [{}, True]}, 1, "oneOf", "matches more than one of the allowed forms"),
        (False, 1, "false", "is not allowed here"),
    ]  # fmt: skip
    for schema, value, code, message in cases:
        issue = found(schema, value)
        assert (issue.code, issue.message) == (code, message)
        assert isinstance(issue.message, TranslatableText)


def test_the_value_that_was_given_is_in_no_word_of_it() -> None:
    schema = {
        "propertyNames": {"maxLength": 3},
        "items": {"const": 1},
        "properties": {
            "a": {"items": False},
            "b": {"contains": {"const": 1}, "maxContains": 1},
            "c": {"unevaluatedItems": False},
            "d": {"not": {"type": "string"}},
            "e": {"dependentRequired": {"x": ["y"]}},
            "f": {"multipleOf": 7},
        },
    }
    value = {
        "a": ["hunter2"], "b": ["hunter2"], "c": ["hunter2"], "d": "hunter2",
        "e": {"x": "hunter2"}, "f": 22222,
    }  # fmt: skip
    issues = validate(schema, value)
    assert {issue.where for issue in issues} == {"a", "b", "c", "d", "e.y", "f"}
    told = " ".join(str(issue) for issue in issues)
    assert "hunter2" not in told
    assert "22222" not in told


def test_a_format_of_several_readings_is_a_warning() -> None:
    loose = found({"format": "hostname"}, "a b")
    assert (loose.severity, loose.code) == ("warning", "looseFormat")
    assert loose.message == "does not look like a host name such as example.com"
    assert found({"format": "uuid"}, "a b").severity == "error"
    either = {"anyOf": [{"format": "hostname", "type": "string"}, {"type": "integer"}]}
    assert validate(either, "a b") == []


def test_a_value_that_is_the_schema_s_own_default_is_let_through_with_a_warning() -> None:
    schema: Any = {"properties": {"a": {"type": "string", "default": None}}}
    issue = found(schema, {"a": None})
    assert issue.severity == "warning"
    assert issue.message.startswith("must be text, is null; it is the tool's own default")
    assert found(schema, {"a": 5}).severity == "error"
    zero = {"properties": {"a": {"type": "string", "default": 0}}}
    assert found(zero, {"a": False}).severity == "error"


def test_a_default_that_is_wrong_inside_is_let_through_too() -> None:
    nested = {"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}}]}
    schema: Any = {"properties": {"a": nested | {"default": {"n": "x"}}}}
    assert found(schema, {"a": {"n": "x"}}).severity == "warning"
    assert found(schema, {"a": {"n": "y"}}).severity == "error"


def test_what_is_deprecated_or_read_only_is_a_warning_where_it_is_sent() -> None:
    schema: Any = {
        "$defs": {"old": {"deprecated": True, "type": "string"}},
        "properties": {
            "a": {"$ref": "#/$defs/old"},
            "b": {"readOnly": True},
            "c": {"anyOf": [{"deprecated": True, "type": "string"}, {"type": "null"}]},
            "d": {"deprecated": False},
        },
    }
    issues = validate(schema, {"a": "x", "b": 1, "c": "x", "d": 1})
    assert [(issue.where, issue.code, issue.severity) for issue in issues] == [
        ("a", "deprecated", "warning"),
        ("b", "readOnly", "warning"),
    ]
    assert validate(schema, {}) == []


def test_a_wrong_name_of_a_property_is_said_to_be_the_name() -> None:
    issue = found({"propertyNames": {"maxLength": 2}}, {"abc": 1})
    assert str(issue) == "abc: its name must have at most 2 characters, has 3"


def test_an_issue_that_another_field_causes_names_that_field() -> None:
    issue = found({"dependentRequired": {"a": ["b"]}}, {"a": 1})
    assert (issue.code, issue.layer) == ("required", "rule")
    assert str(issue) == "b: 'b' is required when 'a' is given"


# --- alternatives -----------------------------------------------------------------------------


def told(schema: Any, value: Any) -> list[str]:
    found: Any = Draft202012Validator(schema)
    return [str(each.validator) for error in found.iter_errors(value) for each in best_match(error)]


def test_an_error_without_alternatives_is_told_as_it_is() -> None:
    assert told({"type": "string"}, 1) == ["type"]


def test_the_branch_of_the_right_kind_is_told() -> None:
    schema = {"anyOf": [{"type": "string", "maxLength": 1}, {"type": "integer"}]}
    assert told(schema, "long") == ["maxLength"]


def test_types_that_are_all_wrong_become_one_error() -> None:
    assert told({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1) == ["type"]


def test_more_than_one_match_is_told() -> None:
    assert told({"oneOf": [{}, True]}, 1) == ["oneOf"]
