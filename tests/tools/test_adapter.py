"""The adapter shows a tool's parameters and passes calls on, nothing more."""

from __future__ import annotations

import pytest

from desktop.errors import ServerError
from desktop.servers.service import McpService
from desktop.tool_types import ToolDefinition
from desktop.tools.adapter import McpToolAdapter, wrap_mcp_tool
from tests.live_servers import ending, stdio, surroundings

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where."},
        "unit": {"type": ["string", "null"], "enum": ["C", "F", None], "default": None},
        "any": True,
    },
    "required": ["city"],
}


async def test_it_is_known_by_server_and_tool_and_calls_that_one() -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        await service.connect_all()
        (definition,) = (one for one in service.connection("plain").tools if one.name == "add")
        adapter = wrap_mcp_tool(service, definition)
        assert adapter.name == "plain:add"
        assert (adapter.get_server_name(), adapter.get_original_tool_name()) == ("plain", "add")
        assert [one.name for one in adapter.parameters] == ["a", "b"]
        assert (await adapter.execute({"a": 1, "b": 2}, call_id="x")).output == "3"


async def test_without_its_server_it_says_so() -> None:
    adapter = McpToolAdapter(McpService(surroundings()), ToolDefinition("gone", "tool"))
    with pytest.raises(ServerError, match="no server named 'gone'"):
        await adapter.execute({})


def test_arguments_are_held_against_the_tools_schema() -> None:
    definition = ToolDefinition("one", "weather", input_schema=SCHEMA)
    adapter = McpToolAdapter(McpService(surroundings()), definition)
    assert adapter.validate({"city": "Chengdu"}) == []
    (wrong,) = adapter.validate({"city": "Chengdu", "unit": "K"})
    assert wrong.where == "unit"
