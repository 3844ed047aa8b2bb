from __future__ import annotations

from typing import Any

import pytest

from desktop.cli.coercion import coerced, items, kinds, member


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("5", {"type": "integer"}, 5),
        ("5.0", {"type": "integer"}, 5),
        ("5.5", {"type": "integer"}, 5.5),
        ("5", {"type": "number"}, 5),
        ("-1e3", {"type": "number"}, -1000.0),
        ("123456789012345678901234567890", {"type": "integer"}, 123456789012345678901234567890),
        ("true", {"type": "boolean"}, True),
        ("null", {"type": "null"}, None),
        ("null", {"type": ["integer", "null"]}, None),
        ('{"a": 1}', {"type": "object"}, {"a": 1}),
        ("[1, 2]", {"type": "array"}, [1, 2]),
        ("7", {"type": "array", "items": {"type": "integer"}}, [7]),
        ("x", {"type": "array", "items": {"type": "string"}}, ["x"]),
        ("[x", {"type": "array", "items": {"type": "string"}}, ["[x"]),
        ("2", {"enum": [1, 2, 3]}, 2),
        ("2", {"const": 2}, 2),
        ("5", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, 5),
        ("5", {"$ref": "#/$defs/n"}, 5),
        ("5", {"allOf": [{"$ref": "#/$defs/n"}]}, 5),
    ],
)
def test_a_word_becomes_what_the_schema_asks_for(
    text: str, schema: dict[str, Any], value: object
) -> None:
    root = {"$defs": {"n": {"type": "number"}}}
    result = coerced(text, schema, root)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize("text", ["5", "true", "null", "[1]", '{"a": 1}', "", " x "])
@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": ["string", "null"]}, {}, None])
def test_text_stays_text_where_text_is_allowed_or_nothing_is_said(
    text: str, schema: object
) -> None:
    assert coerced(text, schema, {}) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("five", "integer"),
        ("0x10", "integer"),
        ("1_000", "number"),
        ("NaN", "number"),
        ("True", "boolean"),
        ("{", "object"),
        ("[" * 100_000, "object"),
        ("9" * 5000, "integer"),
        ("", "number"),
    ],
)
def test_what_does_not_fit_is_left_for_the_validation_to_refuse(text: str, kind: str) -> None:
    assert coerced(text, {"type": kind}, {}) == text


def test_a_schema_that_refers_to_itself_or_away_is_no_trouble() -> None:
    root = {"$defs": {"loop": {"anyOf": [{"$ref": "#/$defs/loop"}] * 20}}}
    assert kinds({"$ref": "#/$defs/loop"}, root) == set()
    assert kinds({"$ref": "https://example.com/schema"}, root) == set()
    assert kinds({"$ref": "#/nowhere/at/all"}, root) == set()
    assert kinds("no schema", root) == set()


def test_properties_and_items_are_found_through_references() -> None:
    root = {"$defs": {"o": {"type": "object", "properties": {"a": {"type": "integer"}}}}}
    assert member({"$ref": "#/$defs/o"}, root, "a") == {"type": "integer"}
    assert member({"$ref": "#/$defs/o"}, root, "b") is None
    assert items({"anyOf": [{"type": "null"}, {"items": {"type": "string"}}]}, root) == {
        "type": "string"
    }
