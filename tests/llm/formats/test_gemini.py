"""What Gemini is told."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.gemini import KNOWN, function_declaration, gemini_schema
from desktop.llm.formats.normaliser import process_json_schema
from desktop.llm.formats.report import Report
from tests.llm.fixtures import FIXTURES, thing
from tests.llm.provider_rules import schemas_in

BY_NAME = {fixture.name: fixture for fixture in FIXTURES}


def parameter(schema: Any) -> Any:
    whole = gemini_schema(process_json_schema(thing(a=schema)).schema, Report())
    return whole["properties"]["a"]


def test_a_tool_without_parameters_has_no_schema() -> None:
    """cherry-studio #3270, mcp-obsidian #21."""
    empty: Any = {"type": "object", "properties": {}}
    assert function_declaration("n", "d", empty) == {"name": "n", "description": "d"}
    free: Any = {**empty, "additionalProperties": True}
    assert function_declaration("n", "d", free)["parametersJsonSchema"] == free


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "integer", "exclusiveMaximum": 1.5}, {"type": "integer", "maximum": 1}),
        (
            {"type": "number", "exclusiveMinimum": 0},
            {"type": "number", "minimum": 0, "description": "greater than 0"},
        ),
        ({"type": "string", "format": "uri"}, {"type": "string", "description": "format: uri"}),
        ({"oneOf": [{"type": "null"}]}, {"anyOf": [{"type": "null"}]}),
        (
            {"allOf": [{"type": "string"}], "description": "d"},
            {"description": "d", "type": "string"},
        ),
        ({"title": "T", "examples": [1], "type": "string"}, {"type": "string"}),
        ({"type": "number", "multipleOf": 5}, {"type": "number", "description": "a multiple of 5"}),
        (
            {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False},
            {"additionalProperties": {"type": "string"}, "description": "names match ^x"},
        ),
        ({"not": {"type": "null"}, "if": {}, "then": {}}, {}),
    ],
)
def test_each_rule_in_the_words_that_it_knows(schema: Any, told: Any) -> None:
    """modelcontextprotocol/servers #1624, cherry-studio #4284 and #20939, python-genai #1732."""
    assert parameter(schema) == told


def test_a_recursion_ends_with_its_type() -> None:
    schema = gemini_schema(process_json_schema(BY_NAME["recursive_root"].schema).schema, Report())
    assert schema["properties"]["child"] == {
        "type": "object",
        "description": "of the same form as what it is in",
    }


def test_no_fixture_brings_a_keyword_that_it_does_not_know() -> None:
    """opencode #12295, gemini-cli #13326: one of them fails the whole request."""
    for fixture in FIXTURES:
        schema = gemini_schema(process_json_schema(fixture.schema).schema, Report())
        for _, each in schemas_in(schema):
            assert isinstance(each, bool) or each.keys() <= KNOWN
