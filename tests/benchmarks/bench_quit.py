"""How long an end takes: of twenty servers, of one that behaves, and after the death of the app."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from desktop.processes import process_tree
from tests.benchmarks.harness import Row, core_with, median, stdio
from tests.faults.app_run import AppRun
from tests.faults.population import end_all, survivors
from tests.faults.rows import Fault
from tests.raw_client import population

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core import Core

MISBEHAVING = (
    Fault("ignores_eof"),
    Fault("ignores_sigterm"),
    Fault("stubborn"),
    Fault("stubborn"),
    Fault("leaves_child", 2),
    Fault("setsid_child", 2),
    Fault("daemon_child", 2),
    Fault("many_children", 6),
    Fault("floods_stderr"),
    Fault("silent"),
)
TWENTY = {
    f"server-{number}": fault
    for number, fault in enumerate((*(Fault("plain"),) * len(MISBEHAVING), *MISBEHAVING))
}
CLOSINGS = 20
KILLS = 3


async def _quit() -> float:
    """Seconds that twenty servers take to end with the core, none of them left."""
    run = uuid4().hex
    configs = [
        stdio(name, fault.script, "--marker", f"{run}-{name}", *fault.args)
        for name, fault in TWENTY.items()
    ]
    markers = [f"{run}-{name}" for name in TWENTY]
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), *configs) as core:
            await _connect_all_but_silent(core)
            began = time.perf_counter()
            await core.close()
            taken = time.perf_counter() - began
            _expect_none(markers)
            return taken


async def _connect_all_but_silent(core: Core) -> None:
    core.service.start("server-19")
    others = [one for name, one in core.service.connections.items() if name != "server-19"]
    await asyncio.gather(*(other.connect() for other in others))


async def _closings() -> list[float]:
    """Seconds that each of some servers takes to end as it should, one after the other."""
    taken: list[float] = []
    configs = [stdio(f"server-{number}", "plain") for number in range(CLOSINGS)]
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), *configs) as core:
            await core.service.connect_all()
            for connection in core.service.connections.values():
                began = time.perf_counter()
                await connection.disconnect()
                taken.append(time.perf_counter() - began)
    return taken


def _death() -> float:
    """Seconds from SIGKILL of the app until every process of its twenty servers is gone."""
    with tempfile.TemporaryDirectory() as folder, AppRun(Path(folder), TWENTY) as run:
        run.wait_populated()
        everyone = [one for found in run.alive().values() for one in found]
        began = time.perf_counter()
        run.process.kill()
        while (
            any(process_tree.is_alive(one) for one in everyone) and time.perf_counter() - began < 10
        ):
            pass
        taken = time.perf_counter() - began
        run.process.wait()
        _expect_none(run.markers.values())
        return taken


def _expect_none(markers: Iterable[str]) -> None:
    markers = tuple(markers)
    if any(population(markers).values()):
        left = survivors(markers, limit=0)
        end_all(markers)
        raise RuntimeError(f"left: {[one for found in left.values() for one in found]}")


def measure() -> list[Row]:
    closings = asyncio.run(_closings())
    return [
        Row("quit with 20 servers, 10 misbehave", asyncio.run(_quit()), None, "s", "<= 3.5 s"),
        Row("a well-behaved server closes", median(closings) * 1e3, None, "ms", "< 100 ms"),
        Row("the slowest of 20 of them", max(closings) * 1e3, None, "ms", "< 100 ms"),
        Row(
            "SIGKILL of the app until all of 20 servers is gone",
            median(_death() for _ in range(KILLS)) * 1e3,
            None,
            "ms",
            "<= 1000 ms",
        ),
    ]
