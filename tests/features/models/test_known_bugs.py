"""Bugs that others had with tools of real servers, each by its number. None of them is ours.

Those that one module answers for are named in that module's tests.
"""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.models.formats import ApiFormat, Verdict, convert, make_wire_tools
from desktop.values.tool_types import ToolDefinition
from tests.features.models.fixtures import nested, thing
from tests.features.models.instances import parameters
from tests.features.models.provider_rules import violations

ANY_OF_TOP = {**thing(a={}, b={}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
TEXT = {"type": "string"}
NULLABLE = {"anyOf": [TEXT, {"type": "null"}]}

BUGS: dict[str, Any] = {
    "python-genai #2393, #2476: additionalProperties is a boolean": thing(
        a={"type": "object", "additionalProperties": True}
    )
    | {"additionalProperties": False},
    "python-genai #1732: a title": thing(a={"type": "string", "title": "A"}) | {"title": "T"},
    "claude-code #27337, #40075, kimi-code #2328: anyOf at the top": ANY_OF_TOP,
    "langchainjs #9804: oneOf at the top": {"type": "object", "oneOf": [thing(a=TEXT)]},
    "langchainjs #10956: only a $schema": {"$schema": "http://json-schema.org/draft-07/schema#"},
    "claude-code #79418: names of parameters": thing(**{"user name": TEXT, "$filter": TEXT}),
    "notion-mcp-server #102: references and an open object": {
        **thing(parent={"$ref": "#/$defs/P"}),
        "$defs": {"P": thing(id={"type": "string", "format": "uuid"})},
    },
    "gemini-cli #5923: too many levels": nested(30, TEXT),
    "gemini-cli #13326: a reference in anyOf": {
        **thing(target={"anyOf": [{"type": "null"}, {"$ref": "#/$defs/T"}]}),
        "$defs": {"T": thing(x=TEXT)},
    },
    "opencode #12295: rules next to a reference": {
        **thing(a={"$ref": "#/$defs/A", "maxLength": 5, "title": "t"}),
        "$defs": {"A": TEXT},
    },
    "opencode #14234: an enum of numbers": thing(a={"type": "integer", "enum": [1, 2]}),
    "cherry-studio #4284: null in anyOf": thing(a=NULLABLE),
    "cherry-studio #10052, #20939: keywords that Gemini does not know": thing(
        a={"type": "array", "items": TEXT, "uniqueItems": True}, b={"const": 1}, c={"not": TEXT}
    ),
    "LibreChat #13845: exclusive bounds and unions": thing(
        a={"type": "number", "exclusiveMinimum": 0}, b={"oneOf": [TEXT, {"type": "number"}]}
    ),
    "zed #32946: a format": thing(a={"type": "string", "format": "uri"}),
    "dify #32894, streamnative #26: an array without items": thing(a={"type": "array"}),
    "modelcontextprotocol/servers #1624: a format in a list": thing(
        a={"type": "array", "items": {"type": "string", "format": "date"}}
    ),
    "moltis #747: required names what is not there": {**thing(a=TEXT), "required": ["a", "gone"]},
    "litellm: a pattern of another dialect": thing(a={"type": "string", "pattern": r"[^\p{Cc}]"}),
    "openai-agents #404: an optional parameter": {**thing(a=TEXT, b=TEXT), "required": ["a"]},
}


@pytest.mark.parametrize("api_format", ApiFormat)
@pytest.mark.parametrize("bug", BUGS)
def test_no_provider_refuses_it(bug: str, api_format: ApiFormat) -> None:
    tool = ToolDefinition("s", "t", input_schema=BUGS[bug])
    table = make_wire_tools([tool], api_format)
    assert table.quarantined == ()
    assert violations(api_format, table.tools) == []


@pytest.mark.parametrize("api_format", ApiFormat)
def test_an_optional_parameter_stays_optional(api_format: ApiFormat) -> None:
    """openai-agents #404 and #414, chatlas #255: strict mode made all of them required."""
    schema = {**thing(a=TEXT, b=NULLABLE), "required": ["a"]}
    made = convert(ToolDefinition("s", "t", input_schema=schema), "t", api_format)
    assert made.verdict is Verdict.OK
    assert parameters(made) == schema


@pytest.mark.parametrize("api_format", ApiFormat)
def test_an_open_object_is_not_closed(api_format: ApiFormat) -> None:
    """litellm adds additionalProperties: false, which changes what the tool takes."""
    made = convert(ToolDefinition("s", "t", input_schema=thing(a=TEXT)), "t", api_format)
    assert "additionalProperties" not in parameters(made)


@pytest.mark.parametrize("tool", ["x" * 128, "get.file", "a/b", "1st", "工具", "list_files"])
@pytest.mark.parametrize("api_format", ApiFormat)
def test_no_name_is_refused(tool: str, api_format: ApiFormat) -> None:
    """claude-code #20830 and #2412, LibreChat #7435, 5ire #403, cherry-studio #4087."""
    table = make_wire_tools([ToolDefinition("My Server", tool)], api_format)
    assert violations(api_format, table.tools) == []
    assert table.find(table.declarations[0].wire_name) == f"My Server:{tool}"
