"""A session's servers start together, are tracked like all others, and end together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desktop.bootstrap import builtin_configs
from desktop.servers import connection as module
from desktop.servers.prestart import Prestarter
from desktop.servers.service import McpService
from desktop.tasks import spawn
from desktop.tool_types import ToolCall
from desktop.tools.direct_servers import load_direct_mcp_tools
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from tests.live_servers import ending, reached, stdio, surroundings, until

if TYPE_CHECKING:
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
        assert [one.name for one in connections] == ["calculator", "time"]
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


async def test_a_registry_follows_until_the_session_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    _, connections = await load_direct_mcp_tools([stdio("list_changes")], surroundings())
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
    early = Prestarter(replace(around.launcher, own_path_first=True), around.tracker)
    await early.start(stdio("plain"))
    around = replace(around, early=early)
    _, connections = await load_direct_mcp_tools([stdio("plain")], around)
    try:
        assert owners(around.tracker) == ["plain", "plain"]
        assert next(iter(connections)).output.file is None
    finally:
        await connections.close()
        await around.tracker.close_all()
