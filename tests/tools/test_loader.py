"""The registry holds what the connected servers offer, at every moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.servers import connection as module
from desktop.servers.service import McpService
from desktop.tools.loader import ToolsLoader, load_mcp_tools, register_mcp_tools
from desktop.tools.registry import ToolRegistry
from tests.live_servers import ending, reached, stdio, surroundings, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


@pytest.fixture
async def service() -> AsyncGenerator[McpService]:
    async with ending(McpService(surroundings())) as one:
        one.add_server(stdio("list_changes"))
        one.add_server(stdio("garbage"))
        yield one


def servers(registry: ToolRegistry) -> set[str]:
    return {tool.definition.server for tool in registry.all()}


async def test_tools_come_and_go_with_their_servers(service: McpService) -> None:
    registry = ToolRegistry()
    loader = ToolsLoader(service, registry)
    await service.connect_all()
    assert servers(registry) == {"list_changes", "garbage"}
    await service.connection("garbage").disconnect()
    assert servers(registry) == {"list_changes"}
    await service.remove_server("list_changes")
    assert registry.all() == ()
    loader.close()


async def test_what_is_connected_already_is_taken_in(service: McpService) -> None:
    await service.connect_all()
    registry = ToolRegistry()
    ToolsLoader(service, registry)
    assert servers(registry) == {"list_changes", "garbage"}


async def test_a_changed_list_changes_the_registry(service: McpService) -> None:
    registry = ToolRegistry()
    ToolsLoader(service, registry)
    await service.connect_all()
    await service.call_tool("list_changes", "add_tool", {"name": "new"})
    await until(registry.changed, lambda: registry.get("list_changes:new"))
    await service.call_tool("list_changes", "remove_tool", {"name": "new"})
    await until(registry.changed, lambda: registry.get("list_changes:new") is None)


async def test_a_switched_off_tool_is_not_offered(service: McpService) -> None:
    registry = ToolRegistry()
    ToolsLoader(service, registry)
    await service.connect_all()
    service.apply([stdio("list_changes", disabled_tools=("echo",)), stdio("garbage")])
    assert registry.get("list_changes:echo") is None
    service.apply([stdio("list_changes"), stdio("garbage")])
    assert registry.get("list_changes:echo") is not None


async def test_a_crashed_server_offers_nothing_until_it_is_back(
    service: McpService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    registry = ToolRegistry()
    ToolsLoader(service, registry)
    await service.connect_all()
    await service.call_tool("list_changes", "crash", {})
    assert servers(registry) == {"garbage"}
    await reached(service.connection("list_changes"), "connected")
    assert servers(registry) == {"list_changes", "garbage"}


async def test_after_its_end_it_changes_nothing(service: McpService) -> None:
    registry = ToolRegistry()
    ToolsLoader(service, registry).close()
    await service.connect_all()
    assert registry.all() == ()
    assert register_mcp_tools(service, registry, "garbage") == 1
    assert register_mcp_tools(service, registry, "no such server") == 0
    assert servers(registry) == {"garbage"}


async def test_tools_stand_in_the_order_of_the_config_whoever_connects_first() -> None:
    async with ending(McpService(surroundings())) as service:
        registry = ToolRegistry()
        ToolsLoader(service, registry)
        configs = [stdio("slow_start", "--seconds", 0.3), stdio("garbage")]
        service.apply(configs)
        await reached(service.connection("garbage"), "connected")
        await reached(service.connection("slow_start"), "connected")
        keys = [tool.definition.key for tool in registry.all()]
        assert keys == ["slow_start:echo", "garbage:echo"]
        service.apply(reversed(configs))
        assert [tool.definition.key for tool in registry.all()] == keys[::-1]


async def test_loading_starts_what_is_on_and_leaves_out_what_fails() -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("exits_at_start"))
        service.add_server(stdio("garbage"))
        service.add_server(stdio("plain", enabled=False))
        tools, missing = await load_mcp_tools(service)
        assert [tool.name for tool in tools] == ["garbage:echo"]
        assert list(missing) == ["exits_at_start"]
        assert "API_KEY is not set" in missing["exits_at_start"]
        assert (await tools[0].execute({"message": "hello"})).output == "hello"


async def test_loading_again_neither_starts_nor_waits() -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("exits_at_start"))
        service.add_server(stdio("garbage"))
        first = await load_mcp_tools(service)
        starts: list[str] = []
        service.state_changed.connect(starts.append)
        again = await load_mcp_tools(service)
        assert starts == []
        assert [tool.name for tool in again.tools] == [tool.name for tool in first.tools]
        assert again.failed == first.failed


async def test_one_that_never_answers_does_not_hold_up_the_others() -> None:
    around = surroundings()
    async with ending(McpService(around)) as service:
        service.add_server(stdio("silent")).start()
        service.add_server(stdio("garbage"))
        await service.connection("garbage").connect()
        await until(around.tracker.added, lambda: len(around.tracker.tracked) == 2)
        tools, missing = await load_mcp_tools(service, limit=0.01)
        assert [tool.name for tool in tools] == ["garbage:echo"]
        assert missing == {"silent": "starting"}


async def test_without_servers_there_is_nothing_to_load() -> None:
    assert await load_mcp_tools(McpService(surroundings())) == ([], {})
