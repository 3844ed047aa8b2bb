"""No secret reaches the disk, and nobody is told that what stands in its place is the value."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.model.schema_reader import SchemaReader
from desktop.redaction.arguments import (
    redact_arguments,
    redact_texts,
    remove_places,
    replace_values,
)
from desktop.redaction.policy import PLACEHOLDER


def test_a_secret_is_found_by_its_name_at_any_depth() -> None:
    arguments = {"user": "ann", "headers": [{"Authorization": "Bearer x"}, {"Accept": "all"}]}
    hidden = redact_arguments(arguments, {})
    assert hidden.arguments == {
        "user": "ann",
        "headers": [{"Authorization": PLACEHOLDER}, {"Accept": "all"}],
    }
    assert hidden.places == [("headers", 0, "Authorization")]
    assert arguments["headers"][0] == {"Authorization": "Bearer x"}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"code": {"writeOnly": True}}},
        {"properties": {"code": {"format": "password"}}},
        {"properties": {"code": {"$ref": "#/$defs/pin"}}, "$defs": {"pin": {"writeOnly": True}}},
        {"properties": {"code": {"anyOf": [{"type": "null"}, {"format": "password"}]}}},
        *(
            {way: [{"properties": {"code": {"writeOnly": True}}}]}
            for way in ("allOf", "anyOf", "oneOf")
        ),
        {"additionalProperties": {"writeOnly": True}},
    ],
)
def test_a_secret_is_found_by_its_schema(schema: dict[str, Any]) -> None:
    assert redact_arguments({"code": "1234567"}, schema).arguments == {"code": PLACEHOLDER}


def test_where_nothing_is_given_nothing_is_hidden() -> None:
    empty = {"password": "", "token": None, "api_key": False}
    assert redact_arguments(empty, {}).arguments == empty


def test_items_and_all_below_a_secret_are_secret_too() -> None:
    secret = {"format": "password"}
    hidden = [PLACEHOLDER, PLACEHOLDER]
    arguments = {"list": ["one", "two"], "credentials": {"user": "a", "note": [1, True, None]}}
    for items in (
        {"items": secret},
        {"items": [secret]},
        {"prefixItems": [secret]},
        {"additionalItems": secret},
        {"unevaluatedItems": secret},
        {"contains": secret},
    ):
        assert redact_arguments(arguments, {"properties": {"list": items}}).arguments == {
            "list": hidden,
            "credentials": {"user": PLACEHOLDER, "note": [PLACEHOLDER, True, None]},
        }


def test_a_value_in_the_form_of_a_key_is_found_under_any_name() -> None:
    assert redact_arguments({"x": "ghp_0123456789abcdef"}, {}).places == [("x",)]


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema = {"$ref": "#", "properties": {"next": {"$ref": "#"}, "password": {"$ref": "#/no"}}}
    arguments: dict[str, Any] = {"next": {"next": {"password": "hunter22"}}}
    assert redact_arguments(arguments, schema).places == [("next", "next", "password")]


def test_what_is_odd_in_a_schema_is_passed_over() -> None:
    schema: dict[str, Any] = {"properties": 3, "items": [1], "allOf": {}, "$ref": 7}
    assert redact_arguments({"a": [1]}, schema).arguments == {"a": [1]}


def test_without_takes_out_what_was_hidden_and_leaves_the_rest() -> None:
    arguments = {"a": {"token": PLACEHOLDER, "b": 1}, "list": [PLACEHOLDER, 2]}
    assert remove_places(arguments, [("a", "token"), ("list", 0)]) == {
        "a": {"b": 1},
        "list": [None, 2],
    }
    assert arguments["list"] == [PLACEHOLDER, 2]


def test_a_secret_that_came_back_is_covered_wherever_it_stands() -> None:
    value = {"said": ["your password is hunter22!"], "n": 5}
    assert replace_values(value, ["hunter22"]) == {
        "said": [f"your password is {PLACEHOLDER}!"],
        "n": 5,
    }
    assert replace_values(value, []) is value


def test_in_what_is_written_secrets_and_credentials_are_covered_except_in_media() -> None:
    said = {"text": "hunter22, ghp_0123456789", "data": "hunter22", "n": [5, None]}
    assert redact_texts([said], ["hunter22"], frozenset({"data"})) == [
        {"text": f"{PLACEHOLDER}, {PLACEHOLDER}", "data": "hunter22", "n": [5, None]}
    ]


@pytest.mark.parametrize("reference", ["#/$defs/My%20Pin", "#pin", "#/$defs/list/0", "s.json#pin"])
def test_what_the_form_draws_as_a_secret_is_hidden_however_it_is_referred_to(
    reference: str,
) -> None:
    secret = {"type": "string", "writeOnly": True}
    schema: dict[str, Any] = {
        "$id": "http://x/s.json",
        "type": "object",
        "properties": {"code": {"$ref": reference}},
        "$defs": {"My Pin": {**secret, "$anchor": "pin"}, "list": [secret]},
    }
    assert SchemaReader(schema).read(schema["properties"]["code"], "code").is_secret
    assert redact_arguments({"code": "246810"}, schema).arguments == {"code": PLACEHOLDER}


@pytest.mark.parametrize(
    "schema",
    [
        {"patternProperties": {"^p": {"writeOnly": True}}},
        {"unevaluatedProperties": {"writeOnly": True}},
        {"dependentSchemas": {"x": {"properties": {"code": {"writeOnly": True}}}}},
        {"dependencies": {"x": {"properties": {"code": {"writeOnly": True}}}}},
        *({part: {"properties": {"code": {"writeOnly": True}}}} for part in ("if", "then", "else")),
    ],
)
def test_a_secret_is_found_wherever_a_schema_may_describe_it(schema: dict[str, Any]) -> None:
    assert redact_arguments({"code": "1234567"}, schema).arguments == {"code": PLACEHOLDER}


def test_of_a_text_with_a_key_in_it_only_the_key_is_hidden() -> None:
    redacted = redact_arguments({"note": "use ghp_0123456789 there"}, {})
    assert redacted.arguments == {"note": f"use {PLACEHOLDER} there"}
    assert (redacted.places, redacted.values) == ([("note",)], ["ghp_0123456789"])
