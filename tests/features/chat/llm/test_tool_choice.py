"""Which tools a model is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.llm.tool_choice import ToolChoice, fetch_mcp_tools, setup_mcp_tools
from desktop.features.models.formats import ApiFormat
from tests.benchmarks.harness import core_with, stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.servers.service import McpService


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[McpService]:
    """Two real servers, connected, and one that is not."""
    configs = [stdio(name, "plain") for name in ("one", "two", "off")]
    async with core_with(tmp_path, *configs) as core:
        core.service.start("one")
        core.service.start("two")
        await core.service.connection("one").connect()
        await core.service.connection("two").connect()
        yield core.service


@pytest.mark.parametrize(
    ("choice", "servers"),
    [
        (ToolChoice(), {"one", "two"}),
        (ToolChoice("off"), set[str]()),
        (ToolChoice("off", ("one",)), set[str]()),
        (ToolChoice("manual"), set[str]()),
        (ToolChoice("manual", ("two", "off", "not there")), {"two"}),
    ],
)
async def test_the_chosen_servers_tools_are_offered(
    service: McpService, choice: ToolChoice, servers: set[str]
) -> None:
    tools = fetch_mcp_tools(service, choice)
    assert {tool.server for tool in tools} == servers
    table = setup_mcp_tools(service, choice, ApiFormat.ANTHROPIC)
    assert len(table.tools) == len(tools)
    assert all(made.wire_name.startswith("mcp__") for made in table.declarations)


async def test_asking_again_converts_nothing_anew(service: McpService) -> None:
    first = setup_mcp_tools(service, ToolChoice(), ApiFormat.GEMINI)
    second = setup_mcp_tools(service, ToolChoice("manual", ("one",)), ApiFormat.GEMINI)
    assert second.declarations
    assert all(any(made is other for other in first.declarations) for made in second.declarations)


@pytest.mark.parametrize("word", ["gemini", "google", ApiFormat.GEMINI])
async def test_a_format_may_be_a_word(service: McpService, word: str) -> None:
    made = setup_mcp_tools(service, ToolChoice(), word)
    assert made.tools == setup_mcp_tools(service, ToolChoice(), ApiFormat.GEMINI).tools
    assert [*made.tools[0]] == ["functionDeclarations"]
    with pytest.raises(ValueError, match="pigeon"):
        setup_mcp_tools(service, ToolChoice(), "pigeon")
