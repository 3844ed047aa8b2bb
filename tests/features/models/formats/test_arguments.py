"""Arguments as models give them."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.models.formats.arguments import (
    UnreadableArgumentsError,
    drop_spare_nulls,
    parse_arguments,
)


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        (None, {}),
        ("", {}),
        (" \n", {}),
        ("{}", {}),
        ('{"a": [1]}', {"a": [1]}),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_what_can_be_read_is(raw: Any, arguments: Any) -> None:
    assert parse_arguments(raw) == arguments


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('{"a": ', "not valid JSON"),
        ("{'a': 1}", "not valid JSON"),
        ("[1]", "an array"),
        ("null", "null"),
        ('"{}"', "a text"),
        ("5", "a number"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": ' * 50_000, "deeply"),
    ],
)
def test_what_cannot_is_a_sentence_and_never_an_empty_object(raw: str, why: str) -> None:
    with pytest.raises(UnreadableArgumentsError, match=why) as told:
        parse_arguments(raw)
    assert "Call the tool again with one JSON object." in str(told.value)


SCHEMA: Any = {
    "properties": {
        "text": {"type": "string"},
        "needed": {"type": "string"},
        "nullable": {"type": ["string", "null"]},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "neither": {"anyOf": [{"type": "string"}, {"enum": ["x"]}]},
        "any": {},
        "referred": {"$ref": "#/$defs/Text"},
        "lost": {"$ref": "#/$defs/Lost"},
        "own": {"type": "string", "nullable": True},
        "inner": {"properties": {"text": {"const": "x"}}},
        "list": {"items": {"properties": {"text": {"type": "integer"}}}},
    },
    "required": ["needed"],
    "$defs": {"Text": {"type": "string"}},
}


@pytest.mark.parametrize("name", ["text", "neither", "referred"])
def test_a_null_for_not_given_is_taken_out(name: str) -> None:
    """coder/xum #3821."""
    assert drop_spare_nulls(SCHEMA, {name: None, "needed": "x"}) == {"needed": "x"}


@pytest.mark.parametrize(
    "name", ["needed", "nullable", "either", "any", "own", "undeclared", "lost"]
)
def test_a_null_that_may_be_meant_stays(name: str) -> None:
    if name == "lost":
        assert drop_spare_nulls(SCHEMA, {name: 1}) == {name: 1}
    else:
        assert drop_spare_nulls(SCHEMA, {name: None}) == {name: None}


def test_nulls_in_parts_are_taken_out_too() -> None:
    given = {"inner": {"text": None, "x": None}, "list": [{"text": None}, None]}
    assert drop_spare_nulls(SCHEMA, given) == {"inner": {"x": None}, "list": [{}, None]}


@pytest.mark.parametrize("schema", [None, True, {"properties": 5}, {"properties": {"a": 5}}])
def test_an_odd_schema_takes_nothing_out(schema: Any) -> None:
    assert drop_spare_nulls(schema, {"a": 1}) == {"a": 1}
