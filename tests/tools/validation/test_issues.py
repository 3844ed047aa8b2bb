"""A finding has what a program needs to translate it, and nothing of the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from desktop.tools.validation import validate
from desktop.tools.validation.issues import best_match
from desktop.tools.validation.keywords import DependencyReason

if TYPE_CHECKING:
    from desktop.tool_types import ValidationIssue


def found(schema: Any, value: Any) -> ValidationIssue:
    (issue,) = validate(schema, value)
    return issue


def test_code_and_values_say_what_the_message_says() -> None:
    cases: list[tuple[Any, Any, str, dict[str, Any]]] = [
        ({"type": ["array"]}, 5, "type", {"expected": ["array"], "given": "integer"}),
        ({"minimum": 3}, 1, "minimum", {"limit": 3}),
        ({"maxLength": 2}, "abc", "maxLength", {"limit": 2, "count": 3}),
        ({"enum": ["a", 1]}, "b", "enum", {"options": ["a", "1"], "more": 0}),
        ({"format": "date"}, "x", "format", {"format": "date"}),
        ({"pattern": "^a"}, "b", "pattern", {"pattern": "^a"}),
        ({"const": None}, "b", "const", {"value": "null"}),
        ({"required": ["a"]}, {}, "required", {"name": "a"}),
        ({"additionalProperties": False}, {"a": 1}, "additionalProperties", {"name": "a"}),
        ({"properties": {"path": {}}}, {"pth": 1}, "undeclared", {"near": "path"}),
        ({"uniqueItems": True}, [1, 1], "uniqueItems", {}),
        (False, 1, "false", {}),
    ]  # fmt: skip
    for schema, value, code, values in cases:
        issue = found(schema, value)
        assert (issue.code, issue.values) == (code, values)


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
    told = " ".join(f"{issue} {dict(issue.values)}" for issue in issues)
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
    assert (issue.severity, issue.values["own_default"]) == ("warning", True)
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
    assert issue.values["of_name"] is True


def test_the_reason_is_kept_beside_the_words() -> None:
    issue = found({"dependentRequired": {"a": ["b"]}}, {"a": 1})
    assert (issue.code, issue.values["name"]) == ("required", "b")
    assert issue.values["reason"] == DependencyReason((("a", ""),))


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
