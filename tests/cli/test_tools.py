from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.cli.output import Console
from desktop.cli.tool_formats import print_wire_tools
from desktop.cli.tools import to_mcp
from desktop.llm.formats import ApiFormat, make_wire_tools
from desktop.values.tool_types import Annotations, Metadata, ToolDefinition
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


def test_a_definition_comes_out_as_the_protocol_writes_it() -> None:
    schema = {"type": "object", "x-own": 1}
    tool = ToolDefinition(
        server="s",
        name="n",
        title="T",
        description="D",
        input_schema=schema,
        output_schema={"type": "object"},
        annotations=Annotations(read_only=True, open_world=False),
        icons=({"src": "data:,"},),
        metadata=Metadata(raw={"version": "1"}),
        execution={"taskSupport": "optional"},
    )
    assert to_mcp(tool) == {
        "name": "n",
        "title": "T",
        "description": "D",
        "inputSchema": {"type": "object", "x-own": 1},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
        "icons": [{"src": "data:,"}],
        "execution": {"taskSupport": "optional"},
        "_meta": {"version": "1"},
    }


def test_what_the_server_did_not_say_is_not_said() -> None:
    assert to_mcp(ToolDefinition("s", "n")) == {"name": "n", "inputSchema": {}}


PATH = {"type": "object", "properties": {"path": {"type": "string"}}}
READ = ToolDefinition("files", "read", description="Reads.", input_schema=PATH)
ODD = ToolDefinition(
    "files",
    "odd",
    description="Odd.",
    input_schema={"type": "object", "properties": {"n": {"type": "array"}}},
)
LARGE = ToolDefinition("files", "large", description="x" * 400_000)


def table(
    tools: list[ToolDefinition], name: str, capsys: pytest.CaptureFixture[str]
) -> tuple[list[str], str]:
    """The lines of the table, and what is said beside it."""
    print_wire_tools(tools, name, {}, Console())
    shown = capsys.readouterr()
    return shown.out.splitlines(), shown.err


def document(tools: list[ToolDefinition], name: str, capsys: pytest.CaptureFixture[str]) -> Any:
    print_wire_tools(tools, name, {"dead": "It is."}, Console(as_json=True))
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("api_format", list(ApiFormat))
def test_the_document_has_the_exact_tools_of_a_request_and_a_report(
    api_format: ApiFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_wire_tools([READ, ODD, LARGE], api_format)
    shown = document([READ, ODD, LARGE], api_format, capsys)
    assert shown["format"] == api_format
    assert shown["tools"] == made.tools
    assert shown["tokens"] == made.tokens > 0
    assert shown["warnings"] == list(made.warnings)
    assert shown["failed"] == {"dead": "It is."}
    assert [each["key"] for each in shown["report"]] == ["files:read", "files:odd", "files:large"]
    assert [each["name"] for each in shown["report"]][:2] == ["mcp__files__read", "mcp__files__odd"]
    assert shown["report"][2]["verdict"] == "rejected"


def test_the_command_asks_the_servers_and_prints_the_format(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"), dead=entry("exits_at_start"))
    done = terminal.run("tools", "--format", "gemini", "--json")
    assert done.code == 0
    (tool,) = done.document["tools"]
    assert "mcp__one__add" in [each["name"] for each in tool["functionDeclarations"]]
    assert "exited with code 3" in done.document["failed"]["dead"]


def test_the_document_says_what_was_changed_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    (report,) = document([ODD], "openai", capsys)["report"]
    assert report["verdict"] == "repaired"
    assert report["changes"][0]["path"] == "/properties/n"
    assert set(report["changes"][0]) == {"kind", "path", "sentence"}


def test_the_table_has_name_tokens_and_verdict_and_the_total(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, said = table([READ, ODD], "openai", capsys)
    assert lines[0] == "NAME FOR THE MODEL  TOKENS  VERDICT"
    assert lines[1].startswith("mcp__files__read ")
    assert lines[1].endswith("  ok")
    assert lines[2].endswith("  repaired (1 change)")
    tokens = sum(int(line.split()[1]) for line in lines[1:3])
    assert lines[3] == f"2 tools, about {tokens} tokens in every request (an estimate)."
    assert said == ""


def test_a_name_that_says_too_little_has_its_tool_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    odd = ToolDefinition("文件", "读取", description="读。", input_schema=PATH)
    lines, _ = table([READ, odd], "gemini", capsys)
    assert lines[1].endswith("  ok")
    assert lines[2].endswith("  ok 文件:读取")


def test_what_is_not_sent_says_why_and_costs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = table([LARGE, READ], "anthropic", capsys)
    assert "rejected: files:large is not offered to Anthropic: " in lines[2]
    assert lines[3].startswith("1 tool, ")


def test_more_tools_than_a_provider_takes_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    many = [ToolDefinition("many", f"tool_{n}", description="One.") for n in range(129)]
    lines, said = table(many, "openai-responses", capsys)
    assert len(lines) == 131
    assert "OpenAI accepts at most 128 tools per request, not 129" in said
    assert table(many, "anthropic", capsys)[1] == ""


def test_without_tools_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = table([], "gemini", capsys)
    assert lines == ["0 tools, about 0 tokens in every request (an estimate)."]


def test_no_terminal_obeys_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    evil = ToolDefinition("a", "\x1b[2J", description="x" * 400_000)
    lines, _ = table([evil], "openai", capsys)
    assert "\x1b" not in "".join(lines)


def test_the_table_has_each_tool_of_all_enabled_servers(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"), two=entry("garbage"), off=entry("plain", enabled=False))
    done = terminal.run("tools")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split() == ["TOOL", "TITLE", "DESCRIPTION"]
    assert any(line.startswith("one:echo ") and "The tool echo." in line for line in lines)
    assert any(line.startswith("two:echo ") for line in lines)
    assert not any(line.startswith("off:") for line in lines)


def test_the_document_has_whole_definitions_in_the_protocols_shape(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    tools = {tool["key"]: tool for tool in terminal.run("tools", "--json").document["tools"]}
    assert tools["one:structured"]["outputSchema"]["required"] == ["city", "degrees"]
    assert tools["one:add"] == {
        "server": "one",
        "key": "one:add",
        "name": "add",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
        "description": "The tool add.",
    }


def test_one_server_alone_is_started_also_when_it_is_off(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"), off=entry("garbage", enabled=False))
    done = terminal.run("tools", "--server", "off", "--json")
    assert [tool["key"] for tool in done.document["tools"]] == ["off:echo"]
    assert terminal.server_log("one") == ""


def test_a_server_that_fails_leaves_the_others(terminal: Terminal) -> None:
    terminal.configure(one=entry("garbage"), dead=entry("exits_at_start"))
    done = terminal.run("tools", "--json")
    assert done.code == 0
    assert [tool["key"] for tool in done.document["tools"]] == ["one:echo"]
    assert "exited with code 3" in done.document["failed"]["dead"]
    assert "exited with code 3" in done.err


def test_when_none_can_be_reached_it_is_3(terminal: Terminal) -> None:
    terminal.configure(one=entry("garbage"), dead=entry("exits_at_start"))
    done = terminal.run("tools", "--server", "dead", "--json")
    assert done.code == 3
    assert done.document["tools"] == []


def test_an_unknown_server_is_2_and_names_those_there_are(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    done = terminal.run("tools", "--server", "two")
    assert done.code == 2
    assert "Available: one, calculator, time, " in done.err


def test_an_unknown_format_is_2_and_names_those_there_are(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    done = terminal.run("tools", "--format", "openapi")
    assert done.code == 2
    assert "Available: mcp, openai, openai-responses, anthropic, gemini." in done.err
    assert terminal.server_log("one") == ""


def test_ten_thousand_tools_are_listed(terminal: Terminal) -> None:
    terminal.configure(many=entry("many_tools", "--count", 10_000))
    assert len(terminal.run("tools").out.splitlines()) == 10_001


def test_a_reader_that_leaves_early_is_no_error(terminal: Terminal) -> None:
    terminal.configure(many=entry("many_tools", "--count", 5_000))
    process = terminal.start("tools")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith("TOOL")
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 0
    assert said == ""


def odd_entry() -> dict[str, Any]:
    return entry("sloppy", "--fault", "two-faults")


def test_a_tool_that_breaks_the_protocol_is_listed_and_said_to_be_so(terminal: Terminal) -> None:
    terminal.configure(odd=odd_entry(), nameless=entry("sloppy", "--fault", "name-missing"))
    done = terminal.run("tools")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()[1:4]] == [
        "odd:good",
        "odd:t",
        "odd:set_fault",
    ]
    problems = "description is not a string; inputSchema is not an object"
    assert f"odd:t violates the protocol: {problems}" in done.err
    assert "nameless: tools/list: tool 2 cannot be called: name is missing" in done.err


def test_what_is_wrong_with_a_tool_is_in_the_json_of_it_alone(terminal: Terminal) -> None:
    terminal.configure(odd=odd_entry())
    good, odd, _ = json.loads(terminal.run("tools", "--json").out)["tools"]
    assert "problems" not in good
    assert set(odd["problems"]) == {"inputSchema is not an object", "description is not a string"}
    assert odd["inputSchema"] == {}


def test_a_tool_without_a_schema_is_called_with_what_is_given(terminal: Terminal) -> None:
    terminal.configure(odd=odd_entry())
    assert terminal.run("call", "odd:t", "--args", '{"any": [1]}').out == "ok\n"
