"""The registry holds what the connected servers offer, at every moment.

A session's servers start together, are tracked like all others, and end together.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.base.tasks import spawn
from desktop.bootstrap import builtin_configs
from desktop.servers.service import McpService
from desktop.servers.transport.launch import LaunchResolver
from desktop.servers.transport.prestart import Prestarter
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import (
    ToolsLoader,
    load_direct_mcp_tools,
    load_mcp_tools,
    register_mcp_tools,
)
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import ToolCall
from tests.live_servers import QUICK, ending, reached, stdio, surroundings, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.processes.tracker import McpProcessTracker


def owners(tracker: McpProcessTracker) -> list[str]:
    return sorted(one.owner for one in tracker.tracked)


def keys(registry: ToolRegistry) -> list[str]:
    return [tool.definition.key for tool in registry.all()]


async def test_the_built_in_servers_of_a_session_start_run_and_end_together() -> None:
    around = surroundings()
    tools, connections = await load_direct_mcp_tools(builtin_configs()[:2], around)
    try:
        assert [connection.name for connection in connections] == ["calculator", "time"]
        assert owners(around.tracker) == ["calculator", "time"]
        assert connections.names == {"calculator", "time"}
        assert connections.failed == {}
        assert {tool.get_server_name() for tool in tools} == connections.names
        (one,) = (tool for tool in tools if tool.name == "calculator:evaluate")
        assert (await one.execute({"expression": "1 + 2"})).output == "3"
    finally:
        await connections.close()
    assert owners(around.tracker) == []
    assert connections.tools() == []
    await connections.close()


async def test_with_no_servers_nothing_is_started() -> None:
    around = surroundings()
    tools, connections = await load_direct_mcp_tools([], around)
    assert (tools, len(connections), connections.failed) == ([], 0, {})
    await connections.close()


async def test_one_that_fails_is_reported_and_leaves_the_others() -> None:
    servers = [stdio("exits_at_start"), stdio("plain"), stdio("plain", name="b", command="/no/x")]
    tools, connections = await load_direct_mcp_tools(servers, surroundings())
    try:
        assert {tool.get_server_name() for tool in tools} == {"plain"}
        assert sorted(connections.failed) == ["b", "exits_at_start"]
        assert "API_KEY is not set" in connections.failed["exits_at_start"]
    finally:
        await connections.close()


async def test_being_cancelled_ends_what_was_started() -> None:
    around = surroundings()
    servers = [stdio("silent"), stdio("plain")]
    loading = spawn(load_direct_mcp_tools(servers, around), "load")
    await until(around.tracker.added, lambda: len(around.tracker.tracked) == 2)
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
    assert owners(around.tracker) == []


async def test_a_registry_follows_until_the_session_ends() -> None:
    around = surroundings(pauses=QUICK)
    _, connections = await load_direct_mcp_tools([stdio("list_changes")], around)
    try:
        registry = ToolRegistry()
        connections.follow(registry)
        executor = ToolExecutor(registry)
        before = keys(registry)
        assert "list_changes:echo" in before
        await executor.run(ToolCall("list_changes:crash", origin="agent"))
        assert keys(registry) == []
        await reached(next(iter(connections)), "connected")
        assert keys(registry) == before
    finally:
        await connections.close()
    assert keys(registry) == []


async def test_the_sessions_own_server_hides_the_services_one_of_the_same_name() -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        service.add_server(stdio("garbage"))
        await service.connect_all()
        _, connections = await load_direct_mcp_tools([stdio("plain")], surroundings())
        registry = ToolRegistry()
        connections.follow(registry)
        loader = ToolsLoader(service, registry, without=connections.names)
        mine = registry.get("plain:add")
        await service.connection("plain").disconnect()
        assert registry.get("plain:add") is mine is not None
        assert "garbage:echo" in keys(registry)
        await connections.close()
        loader.close()
        assert keys(registry) == ["garbage:echo"]


async def test_it_takes_no_process_and_no_log_file_of_the_services(tmp_path: Path) -> None:
    around = surroundings(logs=tmp_path)
    assert isinstance(around.launcher, LaunchResolver)
    early = Prestarter(replace(around.launcher, own_path_first=True), around.tracker)
    await early.start(stdio("plain"))
    around = replace(around, launcher=early)
    _, connections = await load_direct_mcp_tools([stdio("plain")], around)
    try:
        assert owners(around.tracker) == ["plain", "plain"]
        assert next(iter(connections)).output.file is None
    finally:
        await connections.close()
        await around.tracker.close_all()


@pytest.fixture
async def service() -> AsyncGenerator[McpService]:
    async with ending(McpService(surroundings(pauses=QUICK))) as one:
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
    await service.connection("list_changes").call_tool("add_tool", {"name": "new"})
    await until(registry.changed, lambda: registry.get("list_changes:new"))
    await service.connection("list_changes").call_tool("remove_tool", {"name": "new"})
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
    service: McpService,
) -> None:
    registry = ToolRegistry()
    ToolsLoader(service, registry)
    await service.connect_all()
    await service.connection("list_changes").call_tool("crash", {})
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
