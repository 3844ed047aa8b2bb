"""One crash is repaired and said; the second in a row is the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.agent import builtin_watch
from desktop.agent.builtin_watch import BuiltinMonitor
from desktop.agent.events import BuiltinLost, BuiltinReconnected
from desktop.servers import connection as connection_module
from desktop.tools.loader import load_direct_mcp_tools
from tests.live_servers import reached, stdio, surroundings

if TYPE_CHECKING:
    import pytest

    from desktop.agent.events import AgentEvent


async def test_the_next_request_waits_until_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "FIRST_PAUSE", 0.05)
    _, connections = await load_direct_mcp_tools([stdio("plain")], surroundings())
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
    monkeypatch.setattr(connection_module, "FIRST_PAUSE", 60)
    monkeypatch.setattr(builtin_watch, "BACK_LIMIT", 0.05)
    _, connections = await load_direct_mcp_tools([stdio("plain")], surroundings())
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
