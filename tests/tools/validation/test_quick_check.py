from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.tools.validation.quick_check import MAX_PROPERTIES, surely_fits
from desktop.tools.validation.validator import find_misfits, find_unknown_arguments

ADD = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
TEXTS: st.SearchStrategy[Any] = st.text(max_size=2) | st.integers() | st.none()
NAMES = st.sampled_from("abc")
VALUES: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=2)
)
KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    "title": TEXTS,
    "description": TEXTS,
    "examples": st.lists(VALUES) | TEXTS,
}
PROPERTIES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "number", "null", "any"])},
    optional={**KEYWORDS, "default": VALUES},
)
SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(NAMES, PROPERTIES),
        "required": st.lists(NAMES | st.integers(), max_size=2),
        "additionalProperties": st.booleans() | TEXTS,
        "$schema": st.sampled_from(
            [
                None,
                5,
                "",
                "http://json-schema.org/draft-04/schema#",
                "http://json-schema.org/draft-07/schema#",
                "https://json-schema.org/draft/2020-12/schema",
            ]
        ),
        "title": TEXTS,
    },
)


@given(schema=SCHEMAS, arguments=st.dictionaries(NAMES, VALUES, max_size=2))
def test_what_surely_fits_has_no_finding_and_its_schema_is_not_odd(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    if surely_fits(schema, arguments):
        assert find_misfits(schema, arguments) == []
        assert list(find_unknown_arguments(schema, arguments)) == []


def test_a_plain_call_fits() -> None:
    assert surely_fits(ADD, {"a": 1})
    assert not surely_fits(ADD, {"a": "1"})


@pytest.mark.parametrize(
    "dialect",
    [
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ],
)
def test_a_plain_call_fits_in_every_dialect_of_today(dialect: str) -> None:
    described = {"type": "number", "title": "A", "description": "a", "default": 1, "examples": [1]}
    plain = {"string": "x", "boolean": True, "integer": 1, "number": 1.5, "null": None}
    properties = {"a": described, **{kind: {"type": kind} for kind in plain}}
    whole = {"title": "Add", "description": "Adds.", "additionalProperties": True}
    schema = {**ADD, **whole, "$schema": dialect, "properties": properties}
    assert surely_fits(schema, {"a": 1, **plain})


@pytest.mark.parametrize(
    "change",
    [
        {"required": ["a", "a"]},
        {"required": ["a", 1]},
        {"title": 5},
        {"description": 5},
        {"additionalProperties": "no"},
        {"$schema": "https://example.org/own"},
        {"properties": {"a": {"type": "number", "examples": 5}}},
        {"properties": {f"p{at}": {"type": "number"} for at in range(MAX_PROPERTIES + 1)}},
    ],
)
def test_a_schema_that_may_be_odd_is_looked_at_closely(change: dict[str, Any]) -> None:
    assert not surely_fits({**ADD, **change}, {"a": 1})


def test_a_plain_call_is_checked_without_jsonschema() -> None:
    code = """
import sys
from desktop.values.tool_types import ToolDefinition
from desktop.tools.adapters import DefinedTool
tool = DefinedTool()
schema = {"type": "object", "properties": {"a": {"type": "null"}}}
tool.definition = ToolDefinition("s", "t", input_schema=schema)
print(tool.validate({"a": None}), "jsonschema" in sys.modules)
print(len(tool.validate({"a": 1})), "jsonschema" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == ["[] False", "1 True"]
