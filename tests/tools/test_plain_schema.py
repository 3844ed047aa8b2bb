"""What a glance calls fitting, the whole check finds nothing in; all else it leaves to that."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.tools.plain_schema import glance
from desktop.tools.undeclared import find_undeclared
from desktop.tools.validation import find_misfits

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
def test_what_fits_at_a_glance_has_no_finding(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    fits = glance(schema)
    if fits is not None and fits(arguments):
        assert find_misfits(schema, arguments) == []
        assert list(find_undeclared(schema, arguments)) == []


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
    fits = glance(ADD)
    assert fits is not None
    assert fits(arguments) is expected


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
    assert glance({**ADD, **change}) is None


@pytest.mark.parametrize("schema", [True, None, [], "object", {}])
def test_what_is_no_object_schema_is_not_judged(schema: Any) -> None:
    assert glance(schema) is None
