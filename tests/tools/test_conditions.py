"""What one field asks of another is a rule, and the reason is said."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.validation import validate


def told(schema: Any, value: Any) -> list[tuple[str, str, str]]:
    issues = validate(schema | {"additionalProperties": True}, value)
    return [(issue.where, issue.layer, issue.message) for issue in issues]


def test_what_another_field_requires_is_missing_at_its_own_place() -> None:
    schema = {"dependentRequired": {"card": ["address", "name"]}}
    assert told(schema, {"card": 1, "name": "x"}) == [
        ("address", "rule", "'address' is required when 'card' is given")
    ]
    assert told(schema, {}) == []


def test_a_schema_that_another_field_brings_says_so() -> None:
    schema = {"dependentSchemas": {"card": {"properties": {"cvc": {"type": "integer"}}}}}
    assert told(schema, {"card": 1, "cvc": "x"}) == [
        ("cvc", "rule", "must be a whole number, is text (when 'card' is given)")
    ]
    assert told(schema, {"cvc": "x"}) == []


def test_the_older_keyword_for_both_means_the_same() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "dependencies": {"a": ["b"], "c": {"required": ["d"]}},
    }
    assert told(schema, {"a": 1, "c": 1}) == [
        ("b", "rule", "'b' is required when 'a' is given"),
        ("d", "rule", "'d' is required when 'c' is given"),
    ]


KIND: Any = {"properties": {"kind": {"const": "card"}}, "required": ["kind"]}


def test_a_branch_says_when_it_holds() -> None:
    schema = {"if": KIND, "then": {"required": ["cvc"]}, "else": {"required": ["iban"]}}
    assert told(schema, {"kind": "card"}) == [
        ("cvc", "rule", "'cvc' is required when 'kind' is card")
    ]
    assert told(schema, {"kind": "bank"}) == [
        ("iban", "rule", "'iban' is required unless 'kind' is card")
    ]
    assert told(schema, {"kind": "card", "cvc": 1}) == []


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ({"properties": {"kind": {"enum": ["a", "b"]}}}, "when 'kind' is a or b"),
        ({"required": ["x"], "type": "object"}, "when 'x' is given"),
        ({"properties": {"kind": {"minLength": 1}}}, "because of another value"),
        ({"not": {"required": ["y"]}}, "because of another value"),
        (True, "because of another value"),
    ],
)
def test_a_condition_is_told_as_far_as_it_is_plain(condition: Any, reason: str) -> None:
    schema = {"if": condition, "then": {"required": ["z"]}}
    assert told(schema, {"kind": "a", "x": 1}) == [("z", "rule", f"'z' is required {reason}")]


def test_the_reason_stays_with_an_alternative_that_explains_the_error() -> None:
    choice = {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}
    schema = {"if": KIND, "then": {"properties": {"a": choice, "b": {"anyOf": [{"type": "null"}]}}}}
    assert told(schema, {"kind": "card", "a": "x", "b": 1}) == [
        ("a", "rule", "must have at least 3 characters, has 1 (when 'kind' is card)"),
        ("b", "rule", "must be null, is a whole number (when 'kind' is card)"),
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"if": {"properties": {"a": {"pattern": r"^\p{L}$"}}}, "then": {"required": ["b"]}},
        {"if": {"$ref": "http://127.0.0.1:1/x"}, "else": {"required": ["b"]}},
        {"dependentRequired": {"a": 5}},
        {"dependentRequired": 5},
        {"dependentSchemas": {"a": 5}},
        {"if": 5, "then": {"required": ["b"]}},
    ],
)
def test_a_condition_that_cannot_be_tried_is_a_warning_and_forbids_nothing(schema: Any) -> None:
    issues = validate(schema | {"additionalProperties": True}, {"a": "x"})
    assert {issue.severity for issue in issues} == {"warning"}
