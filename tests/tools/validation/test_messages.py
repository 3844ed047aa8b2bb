"""Messages name what is asked for in plain words, and never the value that was given."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.validation import validate
from desktop.tools.validation.messages import format_value, layer_of, message_of, noun_of


def test_what_a_value_is_in_words() -> None:
    values: list[Any] = [None, True, "x", 3, 1.5, [], {}]
    assert [noun_of(each) for each in values] == [
        "null", "true", "text", "a whole number", "a number", "a list", "an object",
    ]  # fmt: skip
    assert noun_of({1}) == "of an unknown kind"


# Schema, value that breaks it, layer of the finding, what a person and a model read.
FINDINGS: list[tuple[Any, Any, str, str]] = [
    ({"type": "string"}, 1, "type", "must be text, is a whole number"),
    ({"type": "integer"}, "1", "type", "must be a whole number, is text"),
    ({"type": "number"}, [], "type", "must be a number, is a list"),
    ({"type": "boolean"}, 1.5, "type", "must be true or false, is a number"),
    ({"type": "array"}, {}, "type", "must be a list, is an object"),
    ({"type": ["object", "null"]}, True, "type", "must be an object or null, is true"),
    ({"const": "a"}, 1, "range", "must be a"),
    ({"enum": ["a", 2]}, 1, "range", "must be one of: a, 2"),
    ({"minimum": 3}, 2, "range", "must be at least 3"),
    ({"maximum": 3}, 4, "range", "must be at most 3"),
    ({"exclusiveMinimum": 3}, 3, "range", "must be more than 3"),
    ({"exclusiveMaximum": 3}, 3, "range", "must be less than 3"),
    ({"multipleOf": 3}, 4, "range", "must be a multiple of 3"),
    ({"minLength": 2}, "a", "range", "must have at least 2 characters, has 1"),
    ({"minLength": 1}, "", "range", "must have at least 1 character, has 0"),
    ({"maxLength": 1}, "abc", "range", "must have at most 1 character, has 3"),
    ({"maxLength": 2}, "abc", "range", "must have at most 2 characters, has 3"),
    ({"minItems": 1}, [], "range", "must have at least 1 item, has 0"),
    ({"maxItems": 2}, [1, 2, 3], "range", "must have at most 2 items, has 3"),
    ({"minProperties": 1}, {}, "range", "must have at least 1 property, has 0"),
    ({"maxProperties": 2}, dict.fromkeys("abc"), "range", "must have at most 2 properties, has 3"),
    ({"uniqueItems": True}, [1, 1], "range", "must not have the same item twice"),
    ({"pattern": "^a"}, "b", "format", "must match the pattern ^a"),
    ({"contains": {"const": 1}}, [2], "rule", "contains no item of the required kind"),
    ({"not": {"type": "string"}}, "b", "rule", "must not have this form"),
    ({"additionalProperties": False}, {"a": 1}, "rule", "'a' is not allowed"),
    (
        {"anyOf": [{"minLength": 2}, {"pattern": "b"}]},
        "a",
        "rule",
        "matches none of the allowed forms",
    ),
    ({"oneOf": [{}, {"minLength": 1}]}, "a", "rule", "matches more than one of the allowed forms"),
    ({"required": ["a"]}, {}, "rule", "'a' is required"),
    ({"required": ["\\" * 180]}, {}, "rule", "'" + "\\" * 179 + "…"),
    (False, 1, "rule", "is not allowed here"),
    (
        {"contains": {"const": 1}, "minContains": 2},
        [1, 2],
        "rule",
        "contains too few items of the required kind",
    ),
    (
        {"contains": {"const": 1}, "maxContains": 1},
        [1, 1],
        "rule",
        "contains too many items of one kind",
    ),
    ({"prefixItems": [{}], "items": False}, [1, 2], "rule", "has too many items"),
    ({"unevaluatedItems": False}, [1], "rule", "contains items that are not allowed"),
    (
        {"unevaluatedProperties": False},
        {"a": 1},
        "rule",
        "contains properties that are not allowed",
    ),
    ({"deprecated": True}, 1, "rule", "is deprecated: the tool may stop taking it"),
    ({"readOnly": True}, 1, "rule", "is read-only: the tool may ignore or refuse it"),
]


@pytest.mark.parametrize(("schema", "value", "layer", "message"), FINDINGS)
def test_each_keyword_has_its_layer_and_its_words(
    schema: Any, value: Any, layer: str, message: str
) -> None:
    (issue,) = validate(schema, value)
    assert (issue.layer, issue.message) == (layer, message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("date", "must be a date such as 2026-01-31"),
        ("date-time", "must be a date and time such as 2026-01-31T13:45:00Z"),
        ("time", "must be a time such as 13:45:00"),
        ("email", "must be an e-mail address"),
        ("uuid", "must be a UUID"),
        ("uri", "must be a full URL such as https://example.com"),
        ("url", "must be a full URL such as https://example.com"),
        ("ipv4", "must be an IPv4 address"),
        ("ipv6", "must be an IPv6 address"),
        ("hostname", "does not look like a host name such as example.com"),
        ("duration", "does not look like a duration such as PT1H30M"),
        ("regex", "does not look like a regular expression"),
        ("json-pointer", "does not look like a JSON pointer such as /items/0"),
        ("uri-reference", "does not look like a URL or a path"),
        ("strange", "does not look like the format strange"),
    ],
)
def test_a_format_is_asked_for_with_an_example(name: str, message: str) -> None:
    assert message_of("format", name, "x", "") == message


def test_a_long_enum_names_twelve_and_counts_the_rest() -> None:
    options = [f"option-{number}" for number in range(15)]
    (issue,) = validate({"enum": options}, 1)
    assert issue.message == f"must be one of: {', '.join(options[:12])} and 3 more"
    (whole,) = validate({"enum": options[:12]}, 1)
    assert whole.message == f"must be one of: {', '.join(options[:12])}"


def test_a_long_option_and_a_long_value_are_cut() -> None:
    (issue,) = validate({"enum": ["x" * 60, "y" * 61]}, 1)
    assert issue.message == f"must be one of: {'x' * 60}, {'y' * 60}…"
    assert (format_value("x" * 180), format_value("y" * 181)) == ("x" * 180, "y" * 180 + "…")


def test_a_keyword_that_is_not_known_keeps_the_validator_s_words_short() -> None:
    assert len(message_of("strange", 1, 2, "x" * 9000)) < 300
    assert len(message_of("required", ["x"], {}, "x" * 9000)) < 300
    assert message_of("required", ["x"], {}, "x" * 300) == "x" * 300
    assert layer_of("strange") == "rule"


def test_a_value_that_is_given_never_appears() -> None:
    assert "hunter2" not in message_of("pattern", "^x", "hunter2", "")
    assert "hunter2" not in message_of("minLength", 9, "hunter2", "")


def test_empty_text_is_shown_with_quotes() -> None:
    assert [format_value(each) for each in ("", "a", 1, None)] == ['""', "a", "1", "null"]
