"""`tools --format`: the exact tools of a request, and a report of what was changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.cli.output import Console
from desktop.features.models.cli.tool_formats import print_wire_tools
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.values.tool_types import ToolDefinition
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

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


def test_an_unknown_format_is_2_and_names_those_there_are(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    done = terminal.run("tools", "--format", "openapi")
    assert done.code == 2
    assert "Available: mcp, openai, openai-responses, anthropic, gemini." in done.err
    assert terminal.server_log("one") == ""


def test_the_converters_are_not_imported_by_the_help_or_by_a_call(terminal: Terminal) -> None:
    terminal.configure(server=entry("plain"))
    terminal.environment["PYTHONPROFILEIMPORTTIME"] = "1"
    for words in (("tools", "--help"), ("call", "server:echo", "message=hi")):
        assert "desktop.features.models.formats" not in terminal.run(*words).err
