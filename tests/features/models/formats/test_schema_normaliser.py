"""Any JSON becomes a schema that all providers can start from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.models.formats.declaration import ApiFormat, Report
from desktop.features.models.formats.schema_normaliser import (
    make_root_object,
    process_json_schema,
    transform_schema,
)
from desktop.features.models.formats.tool_formats import convert
from desktop.values.tool_types import ToolDefinition
from tests.features.models.fixtures import FIXTURES, thing
from tests.features.models.instances import fits
from tests.features.models.shared_references import PERSON, SHARED, VALUES, many

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonPath

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


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"type": ["object", "null"]}])
def test_the_top_is_an_object_with_properties(schema: Any) -> None:
    report = Report()
    assert make_root_object(schema, report) == {"type": "object", "properties": {}}
    assert [change.kind for change in report.changes] == ["added", "added"]


@pytest.mark.parametrize("keyword", ["not", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"])
def test_no_combinator_stays_at_the_top(keyword: str) -> None:
    values: dict[str, Any] = {"anyOf": [{}], "oneOf": [{}], "allOf": [{}], "enum": [{}]}
    value = values.get(keyword, {})
    assert make_root_object({keyword: value}, Report()) == {"type": "object", "properties": {}}


def test_branches_for_other_types_than_objects_do_not_count() -> None:
    branches = [{"type": "string"}, {"properties": {"a": {"type": "null"}}, "required": ["a"]}]
    assert make_root_object({"anyOf": branches}, Report())["required"] == ["a"]


def test_branches_in_branches_are_made_one_too() -> None:
    part = {"anyOf": [{"required": ["b"]}, {"required": ["c"]}]}
    out = make_root_object({"allOf": [{"required": ["a"]}, part]}, Report())
    assert out["required"] == ["a"]
    assert out["description"] == "Give the parameters of one of these sets: (b) or (c)."


def marked(schema: dict[str, Any], path: JsonPath, report: Report) -> dict[str, Any]:
    return {**schema, "mark": len(path)}


def unchanged(schema: dict[str, Any], path: JsonPath, report: Report) -> dict[str, Any]:
    return schema


def test_the_rule_reaches_every_schema_and_the_given_one_stays() -> None:
    given: Any = {"properties": {"a": {"items": {}}}}
    assert transform_schema(given, marked, Report()) == {
        "properties": {"a": {"items": {"mark": 3}, "mark": 2}},
        "mark": 0,
    }
    assert given == {"properties": {"a": {"items": {}}}}


def test_below_the_deepest_level_anything_goes() -> None:
    report = Report()
    given = {"items": {"items": {"items": {"type": "string"}}}}
    out = transform_schema(given, unchanged, report, deepest=1)
    assert out == {"items": {"items": {}}}
    assert report.loosened == 1


def length(schema: Any) -> int:
    return len(json.dumps(schema))


@pytest.mark.parametrize("kind", SHARED)
def test_a_schema_does_not_grow_by_what_it_says_once_and_means_often(kind: str) -> None:
    given = SHARED[kind]
    made = process_json_schema(given)
    assert made.keeps_references
    assert length(made.schema) <= 1.05 * length(given)
    assert [fits(given, each) for each in VALUES] == [fits(made.schema, each) for each in VALUES]


@pytest.mark.parametrize("kind", SHARED)
@pytest.mark.parametrize("api_format", ApiFormat)
def test_no_provider_gets_more_than_the_server_said(kind: str, api_format: ApiFormat) -> None:
    tool = ToolDefinition("s", "t", description="x", input_schema=SHARED[kind])
    body = convert(tool, f"s__{api_format.name}_{len(kind)}", api_format).body
    assert length(body) <= 1.05 * length(SHARED[kind]) + 200


def test_references_are_replaced_where_that_costs_nothing() -> None:
    short = many("#/$defs/Short", **{"$defs": {"Short": {"type": "string"}}})
    once = {
        "type": "object",
        "properties": {"author": {"$ref": "#/$defs/Person"}},
        "$defs": {"Person": PERSON},
    }
    for given in (short, once):
        made = process_json_schema(given)
        assert "$ref" not in json.dumps(made.schema)
        assert not made.keeps_references


def test_what_the_arguments_themselves_are_is_no_reference() -> None:
    given = {
        "allOf": [{"$ref": "#/$defs/Person"}, {"properties": {"boss": {"$ref": "#/$defs/Person"}}}],
        "$defs": {"Person": PERSON},
        "properties": {"other": {"$ref": "#/$defs/Person"}, "more": {"$ref": "#/$defs/Person"}},
    }
    made = process_json_schema(given).schema
    assert "$ref" not in made
    assert {"name", "boss", "other"} <= made["properties"].keys()
