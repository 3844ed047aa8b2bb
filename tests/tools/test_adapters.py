"""The adapter shows a tool's parameters and passes calls on, nothing more.

The parameters of a tool as a flat list; odd schemas have fewer of them, never an error.

A session's own tool is called over its own connection, and says so when that is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ServerError
from desktop.servers.service import McpService
from desktop.tools.adapters import (
    DirectMcpToolAdapter,
    McpToolAdapter,
    Parameter,
    parameters,
    wrap_mcp_tool,
)
from desktop.values.tool_types import ErrorCode, ToolDefinition
from tests.live_servers import connected, ending, error_of, stdio, surroundings

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where."},
        "unit": {"type": ["string", "null"], "enum": ["C", "F", None], "default": None},
        "any": True,
    },
    "required": ["city"],
}


def test_parameters_are_those_of_the_schema_in_its_order() -> None:
    assert parameters(SCHEMA) == (
        Parameter("city", "string", "Where.", required=True),
        Parameter("unit", "string | null", enum=("C", "F", None), has_default=True),
        Parameter("any", "any"),
    )


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": None},
        {"properties": []},
        {"properties": {}, "required": 7},
        {"type": "array"},
    ],
)
def test_a_schema_without_parameters_has_none(schema: dict[str, Any]) -> None:
    assert parameters(schema) == ()


def test_odd_parts_of_a_schema_are_passed_over() -> None:
    odd: dict[str, Any] = {
        "properties": {"a": {"type": 7, "description": [], "enum": "x"}},
        "required": None,
    }
    assert parameters(odd) == (Parameter("a", "7", enum=("x",)),)


async def test_it_calls_its_connection_under_the_tools_own_name() -> None:
    async with connected(stdio("plain", name="mine")) as connection:
        definition = next(tool for tool in connection.tools if tool.name == "add")
        adapter = DirectMcpToolAdapter(connection, definition)
        assert (adapter.name, adapter.get_server_name()) == ("mine:add", "mine")
        assert adapter.get_original_tool_name() == "add"
        assert [parameter.name for parameter in adapter.parameters] == ["a", "b"]
        assert [issue.where for issue in adapter.validate({"a": "x", "b": 1})] == ["a"]
        assert (await adapter.execute({"a": 1, "b": 2}, call_id="7")).output == "3"
        await connection.disconnect()
        code, message = error_of(await adapter.execute({"a": 1, "b": 2}))
        assert code is ErrorCode.UNREACHABLE
        assert "mine is not connected" in message


async def test_the_limit_of_a_call_is_the_servers_or_the_callers(tmp_path: Path) -> None:
    async with connected(stdio("waiting")) as connection:
        (tool,) = (DirectMcpToolAdapter(connection, tool) for tool in connection.tools)
        arguments = {"path": str(tmp_path / "file")}
        code, message = error_of(await tool.execute(arguments, timeout=0.05))
        assert code is ErrorCode.TIMEOUT
        assert "0.05 s" in message
        assert connection.config.timeout == 120


async def test_it_is_known_by_server_and_tool_and_calls_that_one() -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        await service.connect_all()
        (definition,) = (tool for tool in service.connection("plain").tools if tool.name == "add")
        adapter = wrap_mcp_tool(service, definition)
        assert adapter.name == "plain:add"
        assert (adapter.get_server_name(), adapter.get_original_tool_name()) == ("plain", "add")
        assert [parameter.name for parameter in adapter.parameters] == ["a", "b"]
        assert (await adapter.execute({"a": 1, "b": 2}, call_id="x")).output == "3"


async def test_without_its_server_it_says_so() -> None:
    adapter = McpToolAdapter(McpService(surroundings()), ToolDefinition("gone", "tool"))
    with pytest.raises(ServerError, match="No server is named 'gone'"):
        await adapter.execute({})


def test_arguments_are_held_against_the_tools_schema() -> None:
    definition = ToolDefinition("one", "weather", input_schema=SCHEMA)
    adapter = McpToolAdapter(McpService(surroundings()), definition)
    assert adapter.validate({"city": "Chengdu"}) == []
    (wrong,) = adapter.validate({"city": "Chengdu", "unit": "K"})
    assert wrong.where == "unit"
