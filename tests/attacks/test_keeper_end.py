"""The one process that watches all servers is ended: they start again, blamed for nothing."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.core import build_core
from tests.faults.population import wait_until
from tests.live_servers import stdio
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from tests.conftest import ExpectedLogs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no keeper")
WORDS = "the process that watches the servers"


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"))
    yield made
    await made.close()


async def end_keeper(core: Core) -> None:
    (pid,) = {tracked.process.keeper_pid for tracked in core.tracker.tracked}
    keeper = psutil.Process(pid)
    keeper.kill()
    assert await asyncio.to_thread(wait_until, lambda: not keeper.is_running(), LIMIT)


async def until_started_again(core: Core, pids: dict[str, int | None]) -> None:
    def is_back() -> bool:
        connections = (core.service.connections[name] for name in pids)
        return all(each.is_connected and each.pid != pids[each.name] for each in connections)

    assert await asyncio.to_thread(wait_until, is_back, LIMIT)


async def test_its_end_is_said_once_and_counts_against_no_server(
    core: Core, expected_logs: ExpectedLogs, caplog: pytest.LogCaptureFixture
) -> None:
    expected_logs.expect(WORDS)
    names = ("one", "two", "three")
    connections = [core.service.add_server(stdio("plain", name=name)) for name in names]
    await asyncio.gather(*(connection.connect() for connection in connections))
    for times in range(1, 8):  # more often than a server that crashes is tried
        pids = {connection.name: connection.pid for connection in connections}
        called = spawn(connections[0].call_tool("slow", {"seconds": 60, "steps": 600}), "call")
        await connections[0].call_tool("echo", {"message": "there"})
        await end_keeper(core)
        result = await called
        assert result.error is not None
        assert WORDS in result.error.message
        assert "signal" not in result.error.message
        assert "Check its command" not in result.error.message
        await until_started_again(core, pids)
        said = [record for record in caplog.records if record.levelname == "WARNING"]
        assert len(said) == times, [record.getMessage() for record in said]


async def test_a_server_that_was_connecting_is_tried_again(
    core: Core, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(WORDS)
    slow = core.service.add_server(stdio("slow_start", "--seconds", "1", name="slow"))
    slow.start()
    assert await asyncio.to_thread(wait_until, lambda: slow.pid is not None, LIMIT)
    await end_keeper(core)
    async with asyncio.timeout(LIMIT):
        await slow.settle()
    assert slow.is_connected
