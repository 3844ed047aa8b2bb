"""Any JSON, made a schema that all providers can start from."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.normaliser import process_json_schema
from tests.llm.fixtures import FIXTURES, thing

BY_NAME = {fixture.name: fixture for fixture in FIXTURES}


def properties(name: str) -> Any:
    return process_json_schema(BY_NAME[name].schema).schema["properties"]


@pytest.mark.parametrize("schema", [None, [], True, "object", 5, {}])
def test_what_is_no_schema_becomes_an_empty_one(schema: Any) -> None:
    assert process_json_schema(schema).schema == {"type": "object", "properties": {}}


def test_a_reference_is_replaced_by_its_target_and_its_siblings_hold_too() -> None:
    assert properties("reference_with_siblings")["a"] == {
        "description": "mine",
        "default": 2,
        "maximum": 5,
        "type": "integer",
        "minimum": 1,
    }


def test_before_2019_siblings_of_a_reference_are_ignored() -> None:
    assert properties("reference_with_ignored_siblings")["a"] == {"type": "string"}


def test_a_reference_to_a_property_keeps_its_items() -> None:
    """DEEIX-Chat #546."""
    assert properties("reference_to_property")["b"] == {
        "type": "array",
        "items": {"type": "string"},
    }


@pytest.mark.parametrize("name", ["recursive_defs", "recursive_definitions", "recursive_root"])
def test_a_recursion_is_kept_under_defs_and_ends_nowhere_else(name: str) -> None:
    schema = process_json_schema(BY_NAME[name].schema).schema
    assert len(schema["$defs"]) == 1
    assert "definitions" not in schema


@pytest.mark.parametrize(
    "name", ["dangling_reference", "external_reference", "reference_no_text", "reference_to_itself"]
)
def test_a_reference_that_leads_nowhere_allows_anything_and_is_told(name: str) -> None:
    normalised = process_json_schema(BY_NAME[name].schema)
    assert normalised.schema["properties"]["a"] == {}
    assert [change.kind for change in normalised.changes][-1] == "loosened"
    assert normalised.changes[-1].path == "/properties/a/$ref"


def test_no_longer_needed_definitions_are_gone() -> None:
    schema = {**thing(a={"$ref": "#/$defs/A"}), "$defs": {"A": {}, "Unused": {"type": "string"}}}
    assert "$defs" not in process_json_schema(schema).schema


def test_a_keyword_as_the_name_of_a_parameter_is_a_name() -> None:
    names = properties("names")
    assert names["$ref"] == names["properties"] == names["required"] == {"type": "string"}


def test_what_is_no_schema_under_properties_allows_anything() -> None:
    """vscode-unify-chat-provider #162."""
    assert properties("no_schema_under_properties") == {"type": {}, "path": {}, "n": {}, "l": {}}


def test_references_in_an_embedded_document_are_its_own() -> None:
    inner = {"$id": "http://x/inner", "$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}}}
    schema = {**thing(a=inner), "$defs": {"A": {"type": "string"}}}
    assert process_json_schema(schema).schema["properties"]["a"] == {"type": "integer"}
