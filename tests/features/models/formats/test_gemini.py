"""Tools, schemas and results as Gemini accepts them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from desktop.features.models.formats.declaration import ApiFormat, Report
from desktop.features.models.formats.gemini import (
    KNOWN_KEYWORDS,
    adapt_schema,
    convert_values,
    format_results,
    make_function_declaration,
)
from desktop.features.models.formats.schema_normaliser import process_json_schema
from desktop.values.tool_types import Content
from tests.features.models.answer_cases import PICTURE, PNG_TEXT, answer
from tests.features.models.fixtures import FIXTURES, thing
from tests.features.models.provider_rules import schemas_in, violations
from tests.features.models.shared_references import SHARED

BY_NAME = {fixture.name: fixture for fixture in FIXTURES}


def parameter(schema: Any) -> Any:
    whole = adapt_schema(process_json_schema(thing(a=schema)).schema, Report())
    return whole["properties"]["a"]


def test_a_tool_without_parameters_has_no_schema() -> None:
    """cherry-studio #3270, mcp-obsidian #21."""
    empty: Any = {"type": "object", "properties": {}}
    assert make_function_declaration("n", "d", empty) == {"name": "n", "description": "d"}
    free: Any = {**empty, "additionalProperties": True}
    assert make_function_declaration("n", "d", free)["parametersJsonSchema"] == free


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
    schema = adapt_schema(process_json_schema(BY_NAME["recursive_root"].schema).schema, Report())
    assert schema["properties"]["child"] == {
        "type": "object",
        "description": "of the same form as what it is in",
    }


def test_no_fixture_brings_a_keyword_that_it_does_not_know() -> None:
    """opencode #12295, gemini-cli #13326: one of them fails the whole request."""
    for fixture in FIXTURES:
        schema = adapt_schema(process_json_schema(fixture.schema).schema, Report())
        for _, each in schemas_in(schema):
            assert isinstance(each, bool) or each.keys() <= KNOWN_KEYWORDS


TEXT = {"type": "string", "enum": ["x"]}


WHAT_CAN_BE_SAID_EXACTLY: list[tuple[Any, Any]] = [
    ({"const": "x"}, TEXT),
    ({"type": "string", "const": "x", "title": "t"}, {"title": "t", **TEXT}),
    ({"const": None}, {"type": "null"}),
    ({"const": 5}, {"type": "integer", "enum": [5]}),
    ({"const": 1.5}, {"type": "number", "enum": [1.5]}),
    ({"type": ["string", "null"], "enum": ["x", None]}, {"anyOf": [TEXT, {"type": "null"}]}),
    ({"type": "string", "enum": ["", "x"]}, {"anyOf": [TEXT, {"type": "string", "maxLength": 0}]}),
    ({"type": "string", "enum": ["x", None, 1]}, TEXT),
    ({"enum": [True, False]}, {"type": "boolean"}),
]


@pytest.mark.parametrize(("node", "told"), WHAT_CAN_BE_SAID_EXACTLY)
def test_what_can_be_said_exactly_is(node: Any, told: Any) -> None:
    report = Report()
    assert convert_values(node, (), report) == told
    assert report.loosened == 0


WHAT_CANNOT_IS_LOOSER_AN: list[tuple[Any, Any]] = [
    ({"const": True}, {"description": "one of [true]", "type": "boolean"}),
    ({"const": {"a": 1}}, {"description": 'one of [{"a": 1}]', "type": "object"}),
    ({"type": "integer", "enum": ["1"]}, {"type": "integer"}),
    (
        {"enum": ["x", None], "anyOf": [{}]},
        {"anyOf": [{}], "description": 'one of ["x", null]'},
    ),
]


@pytest.mark.parametrize(("node", "told"), WHAT_CANNOT_IS_LOOSER_AN)
def test_what_cannot_is_looser_and_told(node: Any, told: Any) -> None:
    report = Report()
    assert convert_values(node, (), report) == told
    assert report.loosened == 1


@pytest.mark.parametrize("node", [{"type": "string"}, TEXT, {"type": "integer", "enum": [1, 2]}])
def test_what_is_fine_stays_as_it_is(node: Any) -> None:
    assert convert_values(node, (), Report()) is node


BLOB = {"inlineData": {"mimeType": "image/png", "data": PNG_TEXT}}


def test_media_are_inside_the_response_where_the_model_takes_them() -> None:
    told = format_results([answer(Content("text", "x"), PICTURE)], media_inside=True)
    response = told[0]["parts"][0]["functionResponse"]
    assert response == {
        "id": "c1",
        "name": "look",
        "response": {"output": "x\n[Image: image/png]"},
        "parts": [BLOB],
    }


def test_for_older_models_media_are_in_a_content_after_all_responses() -> None:
    """pydantic-ai #4210: a content with responses counts as the model's own."""
    told = format_results([answer(PICTURE), answer(call_id="")], media_inside=False)
    assert [list(part) for part in told[0]["parts"]] == [["functionResponse"]] * 2
    assert told[1] == {"role": "user", "parts": [{"text": "Media that look returned:"}, BLOB]}


def test_an_error_is_under_its_own_key_and_an_id_is_sent_back_only_if_one_came() -> None:
    told = format_results([answer(failed=True, call_id="")], media_inside=True)
    response = {"name": "look", "response": {"error": "no such file"}}
    assert told[0]["parts"] == [{"functionResponse": response}]


def references(schema: Any) -> list[dict[str, Any]]:
    """Each schema in it that is a reference."""
    if isinstance(schema, list):
        return [each for part in cast("list[Any]", schema) for each in references(part)]
    if not isinstance(schema, dict):
        return []
    node = cast("dict[str, Any]", schema)
    return [*([node] if "$ref" in node else []), *references([*node.values()])]


@pytest.mark.parametrize("kind", SHARED)
def test_references_that_stay_lead_to_definitions_and_never_back(kind: str) -> None:
    made = process_json_schema(SHARED[kind])
    out = adapt_schema(made.schema, Report(), keeps_references=True)
    kept = references(out)
    assert kept
    for each in kept:
        assert each.keys() <= {"$ref", "description", "default"}
        assert each["$ref"].removeprefix("#/$defs/") in out["$defs"]
    assert violations(ApiFormat.GEMINI, [{"functionDeclarations": [declared(out)]}]) == []


def declared(schema: Any) -> dict[str, Any]:
    return make_function_declaration("t", "d", schema)


def test_of_two_definitions_that_refer_to_each_other_both_are_told_once() -> None:
    ring = {
        "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}},
        "b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}},
        "c": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}},
    }
    top = {"type": "object", "properties": {"c": {"$ref": "#/$defs/c", "minimum": 1}}}
    report = Report()
    out = adapt_schema({**top, "$defs": ring}, report, keeps_references=True)
    assert out["properties"]["c"] == {"$ref": "#/$defs/c"}
    kept = {name: [ref["$ref"] for ref in references(each)] for name, each in out["$defs"].items()}
    assert kept == {"a": ["#/$defs/b"], "b": [], "c": ["#/$defs/a"]}
    assert {change.kind for change in report.changes} == {"loosened"}
