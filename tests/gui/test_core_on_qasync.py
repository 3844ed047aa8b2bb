"""The core on the loop of the window: what holds on asyncio's own loop holds here, too."""

from __future__ import annotations

import asyncio

import psutil
import pytest

from desktop.base.tasks import spawn
from desktop.servers.connection import ServerConnection
from desktop.servers.service import McpService
from desktop.values.tool_types import ErrorCode
from tests.live_servers import (
    QUICK,
    connected,
    ending,
    error_of,
    names,
    phases,
    reached,
    stdio,
    surroundings,
    until,
    written,
)
from tests.patience import LIMIT
from tests.web_servers import WebServer


@pytest.mark.parametrize(
    ("server", "phase"),
    [
        ("plain", "connected"),
        ("garbage", "connected"),
        ("bad_utf8", "connected"),
        ("dies_on_discover", "connected"),
        ("exits_at_start", "failed"),
        ("silent", "failed"),
    ],
)
async def test_a_server_settles_and_leaves_nothing(server: str, phase: str) -> None:
    around = surroundings(pauses=QUICK)
    config = stdio(server, era="auto", connect_timeout=1 if phase == "failed" else LIMIT)
    async with connected(config, around) as connection:
        assert connection.state.phase == phase, connection.state.error
    assert around.tracker.tracked == ()


async def test_calls_run_side_by_side_and_large_ones_arrive() -> None:
    async with connected(stdio("plain")) as connection:
        calls = (connection.call_tool("echo", {"message": str(n)}) for n in range(200))
        assert [one.output for one in await asyncio.gather(*calls)] == [str(n) for n in range(200)]
        assert len((await connection.call_tool("big", {"bytes": 5_000_000})).output) == 5_000_000


async def test_a_limit_and_a_cancellation_reach_the_server() -> None:
    async with connected(stdio("plain")) as connection:
        slow = {"seconds": 60, "steps": 600}
        result = await connection.call_tool("slow", {"seconds": 60, "steps": 1}, timeout=0.1)
        assert error_of(result)[0] == ErrorCode.TIMEOUT
        await written(connection, "cancelled ")
        began = asyncio.Event()
        call = spawn(connection.call_tool("slow", slow, on_progress=lambda _: began.set()), "call")
        await began.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await written(connection, "stopped ")


async def test_a_crash_in_a_call_and_a_kill_while_idle_are_survived() -> None:
    async with connected(stdio("plain"), surroundings(pauses=QUICK)) as connection:
        seen = phases(connection)
        assert error_of(await connection.call_tool("crash", {}))[0] == ErrorCode.UNREACHABLE
        await reached(connection, "connected")
        assert connection.pid is not None
        psutil.Process(connection.pid).kill()
        await reached(connection, "reconnecting")
        await reached(connection, "connected")
        assert seen == ["reconnecting", "connected"] * 2


async def test_it_can_be_stopped_at_any_moment() -> None:
    connection = ServerConnection(stdio("silent"), surroundings(pauses=QUICK))
    connection.start()
    await asyncio.sleep(0)
    await connection.disconnect()
    connection = ServerConnection(stdio("plain"), surroundings(pauses=QUICK))
    await connection.connect()
    await connection.call_tool("crash", {})
    await connection.disconnect()
    await connection.restart()
    assert connection.is_connected
    await connection.disconnect()
    assert connection.state.phase == "stopped"


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_changed_list_is_read_again(era: str) -> None:
    config = stdio("list_changes", "--era", era, era="auto")
    async with connected(config) as connection:
        await connection.call_tool("add_tool", {"name": "new"})
        await until(connection.tools_changed, lambda: "new" in names(connection))


@pytest.mark.parametrize("page", [0, 200])
async def test_ten_thousand_tools_arrive(page: int) -> None:
    config = stdio("many_tools", "--bytes", 600, "--page", page)
    async with connected(config) as connection:
        assert names(connection) == [f"tool_{number:05}" for number in range(10_000)]


async def test_many_servers_connect_and_end() -> None:
    around = surroundings(pauses=QUICK)
    async with ending(McpService(around)) as service:
        service.apply([stdio("plain", name=f"plain_{n}") for n in range(20)])
        for connection in service.connections.values():
            await connection.settle()
        assert service.get_stats().connected == 20
    assert around.tracker.tracked == ()


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_a_server_at_a_url_is_called(transport: str) -> None:
    with WebServer(transport) as web:
        async with connected(web.config()) as connection:
            assert (await connection.call_tool("echo", {"message": "hi"})).output == "hi"
