"""Fifty servers at once, and fifty of which five never answer."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from mcp import Client, StdioServerParameters

from tests.benchmarks.harness import LoopLag, Row, core_with, median, stdio
from tests.server_commands import command

SERVERS = 50
SILENT = 5
ROUNDS = 3


async def _ours(silent: int) -> tuple[float, LoopLag]:
    """Seconds until the last server that answers is usable."""
    configs = [
        stdio(
            f"server-{number}", "silent" if number % 10 == 0 and number // 10 < silent else "plain"
        )
        for number in range(SERVERS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), *configs) as core:
            done = asyncio.Event()

            connected: set[str] = set()

            def look(name: str) -> None:
                if core.service.connection(name).is_connected:
                    connected.add(name)
                if len(connected) == SERVERS - silent:
                    done.set()

            core.service.state_changed.connect(look)
            await core.launcher.shell_path.get()
            async with LoopLag().watched() as lag:
                began = time.perf_counter()
                for config in configs:
                    core.service.start(config.name)
                await asyncio.wait_for(done.wait(), 60)
                return time.perf_counter() - began, lag


async def _bare() -> float:
    program, args = command("plain")
    ready = asyncio.Barrier(SERVERS + 1)
    finish = asyncio.Event()

    async def one() -> None:
        parameters = StdioServerParameters(command=program, args=args)
        async with Client(parameters, mode="legacy") as client:
            await client.list_tools()
            await ready.wait()
            await finish.wait()

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(SERVERS):
            group.create_task(one())
        await ready.wait()
        taken = time.perf_counter() - began
        finish.set()
    return taken


def measure() -> list[Row]:
    rounds = [(asyncio.run(_ours(0)), asyncio.run(_bare())) for _ in range(ROUNDS)]
    ours, bare = median(one for (one, _), _ in rounds), median(other for _, other in rounds)
    lag = LoopLag([late for (_, one), _ in rounds for late in one.late])
    silent = median(asyncio.run(_ours(SILENT))[0] for _ in range(ROUNDS))
    return [
        Row("50 servers, last one usable", ours * 1e3, bare * 1e3, "ms", "<= 1.1 x"),
        Row("50 servers, loop lag p99", lag.p99 * 1e3, None, "ms", "< 16 ms"),
        Row("50 servers, loop lag max", lag.worst * 1e3, None, "ms", "< 50 ms"),
        Row("5 of 50 never answer, last of the 45", silent * 1e3, ours * 1e3, "ms", "as without"),
    ]
