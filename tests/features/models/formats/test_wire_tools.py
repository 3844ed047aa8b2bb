"""The tools of one request and the way back."""

from __future__ import annotations

import pytest

from desktop.features.models.formats import ApiFormat, UnknownTool, WireTools, make_wire_tools
from desktop.values.tool_types import ToolDefinition
from tests.features.models.fixtures import FIXTURES, megabyte, thing

TOOLS = [
    ToolDefinition(
        "files",
        "read",
        input_schema=thing(path={"type": "string"}, **{"max size": {"type": "integer"}}),
    ),
    ToolDefinition("files", "Write"),
    ToolDefinition("my server", "read.it/now"),
]


@pytest.fixture(params=list(ApiFormat))
def table(request: pytest.FixtureRequest) -> WireTools:
    return make_wire_tools(TOOLS, request.param)


def test_each_name_leads_back_to_its_tool(table: WireTools) -> None:
    keys = [table.find(made.wire_name) for made in table.declarations]
    assert keys == ["files:read", "files:Write", "my server:read.it/now"]


def test_a_name_in_other_case_is_found_where_only_one_is_meant(table: WireTools) -> None:
    assert table.find("MCP__FILES__write") == "files:Write"


def test_an_unknown_name_is_answered_with_those_that_are_near(table: WireTools) -> None:
    found = table.find("mcp__files__reed")
    assert isinstance(found, UnknownTool)
    assert found.sentence.startswith("Unknown tool 'mcp__files__reed'. Available: mcp__files__read")
    assert table.read_arguments("mcp__files__reed", "{}").error == found.sentence


def test_arguments_come_back_under_the_names_of_the_server(table: WireTools) -> None:
    made = table.declarations[0]
    told = {original: name for name, original in made.renamed_properties.items()}
    name = told.get("max size", "max size")
    assert (name != "max size") is (table.api_format is ApiFormat.ANTHROPIC)
    read = table.read_arguments(made.wire_name, f'{{"path": null, "{name}": 5}}')
    assert (dict(read.arguments), read.error) == ({"max size": 5}, "")
    misread = table.read_arguments(made.wire_name, "{")
    assert "not valid JSON" in misread.error
    assert misread.arguments == {}


def test_a_bad_tool_is_left_out_with_its_reason_and_not_found(table: WireTools) -> None:
    mixed = make_wire_tools([megabyte(), TOOLS[0]], table.api_format)
    assert [made.key for made in mixed.declarations] == ["files:read"]
    assert mixed.warnings == (mixed.quarantined[0].reason,)
    assert isinstance(mixed.find("mcp__fixtures__megabyte"), UnknownTool)


def test_gemini_gets_one_tool_with_all_functions() -> None:
    tools = make_wire_tools(TOOLS, ApiFormat.GEMINI).tools
    assert [list(tool) for tool in tools] == [["functionDeclarations"]]
    assert len(tools[0]["functionDeclarations"]) == 3


@pytest.mark.parametrize("api_format", ApiFormat)
def test_without_tools_there_is_nothing_to_send(api_format: ApiFormat) -> None:
    empty = make_wire_tools([], api_format)
    assert (empty.tools, empty.tokens, empty.warnings) == ([], 0, ())
    assert empty.read_arguments("x", "{}").error == "Unknown tool 'x'; no tools are available."


def test_more_tools_than_a_provider_takes_are_a_warning() -> None:
    many = [ToolDefinition("s", f"t{i}") for i in range(513)]
    told = {each: make_wire_tools(many, each).warnings for each in ApiFormat}
    assert told[ApiFormat.ANTHROPIC] == ()
    assert told[ApiFormat.OPENAI][0].startswith("OpenAI accepts at most 128 tools per request")
    assert told[ApiFormat.GEMINI][0].startswith("Gemini accepts at most 512 tools per request")


def test_a_tool_listed_twice_counts_once() -> None:
    assert len(make_wire_tools([TOOLS[0], TOOLS[0]], ApiFormat.OPENAI).declarations) == 1


def test_a_sessions_own_servers_have_short_names() -> None:
    table = make_wire_tools(TOOLS[:2], ApiFormat.OPENAI, direct={"files"})
    assert [made.wire_name for made in table.declarations] == ["files__read", "files__Write"]
    assert table.find("files__read") == "files:read"


def test_the_tokens_of_a_table_are_those_of_its_tools() -> None:
    table = make_wire_tools([fixture.tool for fixture in FIXTURES], ApiFormat.OPENAI)
    assert table.tokens == sum(made.tokens for made in table.declarations) > 1_000
