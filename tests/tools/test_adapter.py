"""The adapter shows a tool's parameters and passes calls on, nothing more."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.errors import ServerError
from desktop.servers.service import McpService
from desktop.tools.adapter import McpToolAdapter, Parameter, parameters
from desktop.tools.definition import ToolDefinition
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


async def test_it_is_known_by_server_and_tool_and_calls_that_one() -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        await service.connect_all()
        (definition,) = (one for one in service.connection("plain").tools if one.name == "add")
        adapter = McpToolAdapter(service, definition)
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
