"""What a session offers: the service's tools as chosen, its own always.

One crash is repaired and said; the second in a row is the last.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from desktop.features.chat.agent import session_tools
from desktop.features.chat.agent.events import (
    BuiltinLost,
    BuiltinReconnected,
    NoticePosted,
    ServersAwaited,
)
from desktop.features.chat.agent.large_results import LargeResultStore
from desktop.features.chat.agent.session_tools import (
    MAX_CONVERTED_ON_LOOP,
    BuiltinMonitor,
    SessionTools,
)
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.models.formats import ApiFormat
from desktop.servers.retry_pause import Pauses
from desktop.tools.loader import load_direct_mcp_tools
from desktop.values.tool_types import Decision, ToolCall
from tests.live_servers import reached, stdio, surroundings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    import pytest

    from desktop.config.models import ServerConfig
    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.values.tool_types import JsonObject, Origin, ToolDefinition


async def test_the_next_request_waits_until_it_is_back() -> None:
    around = surroundings(pauses=Pauses(first=0.05))
    _, connections = await load_direct_mcp_tools([stdio("plain")], around)
    told: list[AgentEvent] = []
    watch = BuiltinMonitor(connections, told.append)
    (one,) = connections
    try:
        await watch.settle()
        await one.call_tool("crash", {})
        assert not one.is_connected
        await watch.settle()
        assert one.is_connected
        assert [type(event) for event in told] == [BuiltinLost, BuiltinReconnected]
        await one.call_tool("crash", {})
        assert told[-1] == BuiltinLost("plain", watch.lost["plain"], restarting=False)
        await watch.settle()
        await reached(one, "stopped")
        assert len(told) == 3
    finally:
        await watch.close()
        await connections.close()


async def test_a_server_that_stays_away_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_tools, "BACK_LIMIT", 0.05)
    around = surroundings(pauses=Pauses(first=60))
    _, connections = await load_direct_mcp_tools([stdio("plain")], around)
    watch = BuiltinMonitor(connections, lambda _: None)
    (one,) = connections
    try:
        await one.call_tool("crash", {})
        await watch.settle()
        assert not one.is_connected
    finally:
        await watch.close()
        await watch.settle()
        await connections.close()


async def test_one_that_never_started_is_lost_from_the_first() -> None:
    _, connections = await load_direct_mcp_tools([stdio("exits_at_start")], surroundings())
    watch = BuiltinMonitor(connections, lambda _: None)
    assert "API_KEY is not set" in watch.lost["exits_at_start"]
    await watch.close()
    await connections.close()


class Yes:
    """Allows everything."""

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        return Decision(True, arguments)


@asynccontextmanager
async def made(
    shared: SessionContext,
    folder: Path,
    *servers: ServerConfig,
    tell: Callable[[AgentEvent], None] = lambda _: None,
) -> AsyncGenerator[SessionTools]:
    _, connections = await load_direct_mcp_tools(servers, shared.surroundings)
    kept = LargeResultStore(folder, max_result=100, max_stored=1000)
    tools = SessionTools(shared.service, connections, kept, Yes(), shared.rules, tell)
    try:
        yield tools
    finally:
        await tools.close()


async def test_its_own_server_hides_the_services_one_of_the_same_name(
    shared: SessionContext, tmp_path: Path
) -> None:
    shared.service.add_server(stdio("plain"))
    await shared.service.connect_all()
    async with made(shared, tmp_path, stdio("plain")) as tools:
        (own,) = tools.connections
        result = await tools.executor.run(ToolCall("plain:pid", origin="agent"))
        assert result.output == str(own.pid)
        table = await tools.load(ApiFormat.OPENAI)
        names = {declaration.wire_name for declaration in table.declarations}
        assert "plain__add" in names
        assert "mcp__plain__add" not in names


async def test_the_choice_is_of_the_services_tools_alone(
    shared: SessionContext, tmp_path: Path
) -> None:
    shared.service.add_server(stdio("list_changes"))
    await shared.service.connect_all()
    async with made(shared, tmp_path, stdio("plain")) as tools:
        for choice, expected in (
            (ToolChoice("auto"), {"plain", "list_changes"}),
            (ToolChoice("off"), {"plain"}),
            (ToolChoice("manual", ("list_changes", "gone")), {"plain", "list_changes"}),
            (ToolChoice("manual", ()), {"plain"}),
        ):
            tools.choose(choice)
            assert {one.server for one in tools.offered()} == {*expected, "session"}


async def test_servers_that_are_being_started_are_waited_for(
    shared: SessionContext, tmp_path: Path
) -> None:
    told: list[AgentEvent] = []
    for name in ("plain", "list_changes"):
        shared.service.add_server(stdio(name))
        shared.service.start(name)
    async with made(shared, tmp_path, tell=told.append) as tools:
        tools.choose(ToolChoice("manual", ("plain",)))
        table = await tools.load(ApiFormat.OPENAI)
        assert "mcp__plain__add" in {each.wire_name for each in table.declarations}
        assert told == [ServersAwaited(("plain",)), ServersAwaited()]
        await tools.load(ApiFormat.OPENAI)
        assert len(told) == 2


async def test_one_that_is_late_is_told_and_not_waited_for_again(
    shared: SessionContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_tools, "START_LIMIT", 0.05)
    told: list[AgentEvent] = []
    shared.service.add_server(stdio("silent"))
    shared.service.start("silent")
    async with made(shared, tmp_path, tell=told.append) as tools:
        await tools.load(ApiFormat.OPENAI)
        late = NoticePosted("Not offered yet, because still starting: silent.")
        assert told == [ServersAwaited(("silent",)), late, ServersAwaited()]
        await tools.load(ApiFormat.OPENAI)
        assert len(told) == 3


async def test_a_table_is_made_anew_only_after_a_change(
    shared: SessionContext, tmp_path: Path
) -> None:
    async with made(shared, tmp_path, stdio("list_changes")) as tools:
        first = await tools.load(ApiFormat.OPENAI)
        assert await tools.load(ApiFormat.OPENAI) is first
        assert await tools.load(ApiFormat.GEMINI) is not first
        (own,) = tools.connections
        own.reconfigure(own.config.changed(disabled_tools=("echo",)))
        second = await tools.load(ApiFormat.OPENAI)
        assert len(second.declarations) == len(first.declarations) - 1


async def test_many_tools_are_converted_too(shared: SessionContext, tmp_path: Path) -> None:
    shared.service.add_server(
        stdio("many_tools", "--count", MAX_CONVERTED_ON_LOOP * 2, "--bytes", 300)
    )
    await shared.service.connect_all()
    async with made(shared, tmp_path) as tools:
        table = await tools.load(ApiFormat.ANTHROPIC)
        assert len(table.declarations) == MAX_CONVERTED_ON_LOOP * 2 + 1  # and read_result
        assert await tools.load(ApiFormat.ANTHROPIC) is table


async def test_a_server_of_the_person_with_the_sessions_name_is_known_to_be_hidden(
    shared: SessionContext, tmp_path: Path
) -> None:
    shared.service.add_server(stdio("plain", name="session"))
    await shared.service.connect_all()
    async with made(shared, tmp_path) as tools:
        assert tools.hides == "session"
        assert tools.offered() == []


async def test_after_its_end_nothing_can_be_called(shared: SessionContext, tmp_path: Path) -> None:
    async with made(shared, tmp_path, stdio("plain")) as tools:
        assert tools.registry.get("plain:add") is not None
    assert tools.registry.get("plain:add") is None
