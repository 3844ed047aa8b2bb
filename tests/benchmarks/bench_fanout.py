"""Fifty servers at once, and fifty of which five never answer.

Against the SDK as it is (`mode="auto"`: asked whether they speak the newer generation of the
protocol, else greeted by the older one), which is what we do, and against a script that knows
beforehand that they speak the older one.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Literal

from mcp import Client, StdioServerParameters

from tests.benchmarks.harness import (
    Compared,
    LoopLag,
    Row,
    core_with,
    cpu_seconds,
    median,
    set_imports_aside,
    stdio,
)
from tests.server_commands import command

Mode = Literal["auto", "legacy"]

SERVERS = 50
SILENT = 5
ROUNDS = 5


async def _ours(silent: int) -> tuple[float, float, LoopLag]:
    """Seconds until the last server that answers is usable, and of CPU until all have ended."""
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
                used, began = cpu_seconds(), time.perf_counter()
                for config in configs:
                    core.service.start(config.name)
                await asyncio.wait_for(done.wait(), 60)
                taken = time.perf_counter() - began
        return taken, cpu_seconds() - used, lag


async def _bare(mode: Mode) -> tuple[float, float]:
    program, args = command("plain")
    ready = asyncio.Barrier(SERVERS + 1)
    finish = asyncio.Event()

    async def one() -> None:
        parameters = StdioServerParameters(command=program, args=args)
        async with Client(parameters, mode=mode) as client:
            await client.list_tools()
            await ready.wait()
            await finish.wait()

    used, began = cpu_seconds(), time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(SERVERS):
            group.create_task(one())
        await ready.wait()
        taken = time.perf_counter() - began
        finish.set()
    return taken, cpu_seconds() - used


def compare_fan_outs(mode: Mode, rounds: int = ROUNDS) -> tuple[Compared, Compared, LoopLag]:
    """Seconds until the last of 50 is usable, CPU of all of it with its end, and our lag."""
    walls: list[tuple[float, float]] = []
    cpus: list[tuple[float, float]] = []
    lag = LoopLag()
    asyncio.run(_ours(0))  # what is imported with the first servers is set aside, too
    asyncio.run(_bare(mode))
    for _ in range(rounds):
        set_imports_aside()  # before each: neither collects what the other has left
        ours, our_cpu, one = asyncio.run(_ours(0))
        set_imports_aside()
        bare, bare_cpu = asyncio.run(_bare(mode))
        walls.append((ours, bare))
        cpus.append((our_cpu, bare_cpu))
        lag.late += one.late
    return Compared(tuple(walls)), Compared(tuple(cpus)), lag


def measure() -> list[Row]:
    walls, cpus, lag = compare_fan_outs("auto")
    older_walls, older_cpus, _ = compare_fan_outs("legacy")
    silent = median(asyncio.run(_ours(SILENT))[0] for _ in range(ROUNDS))
    return [
        walls.row("50 servers, last one usable", "<= 1.0 x"),
        cpus.row("50 servers, CPU with their start and end", "<= 1.0 x"),
        older_walls.row("the same, last usable, x SDK told their generation", ""),
        older_cpus.row("the same, CPU, x SDK told their generation", ""),
        Row("50 servers, loop lag p99", lag.p99 * 1e3, None, "ms", "< 16 ms"),
        Row("50 servers, loop lag max", lag.worst * 1e3, None, "ms", "< 50 ms"),
        Row(
            "5 of 50 never answer, last of the 45", silent * 1e3, walls.ours * 1e3, "ms",
            "as without",
        ),
    ]  # fmt: skip
