"""`tools --cost`: tokens of each tool, the most expensive first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop.cli.output import Console
from desktop.features.models.cli.tool_formats import print_costs
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.values.tool_types import ToolDefinition
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from tests.cli.terminal import Terminal

SMALL = ToolDefinition("files", "read", description="Reads.")
BIG = ToolDefinition("github", "search", description="x" * 20_000)
HUGE = ToolDefinition("github", "huge", description="x" * 400_000)


async def lines(
    tools: Sequence[ToolDefinition], model: str, capsys: pytest.CaptureFixture[str]
) -> tuple[list[str], str]:
    await print_costs(tools, "anthropic", model, {}, Console())
    shown = capsys.readouterr()
    return shown.out.splitlines(), shown.err


async def test_the_most_expensive_is_on_top_and_the_total_says_it_is_an_estimate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown, said = await lines([SMALL, BIG], "claude-x", capsys)
    cost = make_wire_tools([SMALL, BIG], ApiFormat.ANTHROPIC).tokens
    assert shown[0].split() == ["SERVER", "TOOL", "TOKENS", "SHARE"]
    assert [line.split()[:2] for line in shown[1:3]] == [["github", "search"], ["files", "read"]]
    assert shown[3].startswith("github: 1 tool, ≈ 5,0")
    assert f"2 tools, ≈ {cost:,} tokens in every request, 2.5" in shown[-1]
    assert "% of 200,000 (an estimate for the format anthropic)" in shown[-1]
    assert "github:search alone takes 3 % of the window. Switching github:search off" in said


async def test_without_a_known_window_there_are_no_shares(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown, said = await lines([SMALL], "", capsys)
    assert shown[0].split() == ["SERVER", "TOOL", "TOKENS"]
    assert (said, "%" in "".join(shown)) == ("", False)
    _, said = await lines([SMALL], "my-own", capsys)
    assert said == "The context window of my-own is not known.\n"


async def test_what_is_not_sent_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    shown, said = await lines([HUGE], "", capsys)
    assert shown[1].split() == ["github", "huge", "0"]
    assert "github:huge is not offered to Anthropic" in said


async def test_the_document_has_tools_servers_total_and_advice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    await print_costs([SMALL, BIG], "gemini", "gemini-3", {"dead": "It is."}, Console(as_json=True))
    shown: Any = json.loads(capsys.readouterr().out)
    assert (shown["format"], shown["window"], shown["estimate"]) == ("gemini", 1_048_576, True)
    assert [tool["key"] for tool in shown["tools"]] == ["files:read", "github:search"]
    assert shown["tokens"] == sum(tool["tokens"] for tool in shown["tools"])
    assert shown["servers"][1] == {
        "server": "github",
        "tools": 1,
        "tokens": shown["tools"][1]["tokens"],
    }
    assert [each["kind"] for each in shown["advice"]] == ["heaviest"]
    assert shown["failed"] == {"dead": "It is."}


def test_the_command_asks_the_servers_and_prints_what_they_cost(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    done = terminal.run("tools", "--cost", "--model", "gpt-5", "--format", "openai", "--json")
    assert done.code == 0
    assert done.document["window"] == 400_000
    assert "one:add" in [tool["key"] for tool in done.document["tools"]]


def test_a_model_without_costs_is_wrong_usage(terminal: Terminal) -> None:
    done = terminal.run("tools", "--model", "gpt-5")
    assert (done.code, done.out) == (2, "")
    assert "--cost" in done.err
