"""What the benchmarks share: rows of a table, medians, the lag of a loop, a core without a file.

A figure is a ratio against something bare, taken in the same run: walls of one machine say little.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.config.models import ServerConfig
from desktop.core import Core, build_core
from desktop.paths import Paths
from desktop.tasks import spawn
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable

_UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what was measured, ours, the bare figure, and the goal for their ratio."""

    what: str
    ours: float
    bare: float | None = None
    unit: str = "ms"
    goal: str = ""

    def __str__(self) -> str:
        ratio = f"{self.ours / self.bare:6.2f} x" if self.bare else " " * 8
        bare = f"{self.bare:10.2f}" if self.bare is not None else " " * 10
        return f"{self.what:<58}{self.ours:10.2f}{bare} {self.unit:<4}{ratio}  {self.goal}"


HEAD = f"{'':<58}{'ours':>10}{'bare':>10} {'':<4}{'ratio':>8}  goal"


@dataclass(slots=True)
class LoopLag:
    """How late a loop was, in seconds, each time it was asked.

    `busy` is what its thread worked between two times: what others do on the machine is not in it.
    """

    late: list[float] = field(default_factory=list[float])
    busy: list[float] = field(default_factory=list[float])

    @asynccontextmanager
    async def watched(self, every: float = 0.002) -> AsyncGenerator[LoopLag]:
        watching = spawn(self._watch(every), "lag")
        try:
            yield self
        finally:
            watching.cancel()

    async def _watch(self, every: float) -> None:
        while True:
            asked, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(every)
            self.late.append(max(0.0, time.perf_counter() - asked - every))
            self.busy.append(time.thread_time() - worked)

    @property
    def worst(self) -> float:
        return max(self.late, default=0.0)

    @property
    def longest_work(self) -> float:
        return max(self.busy, default=0.0)

    @property
    def p99(self) -> float:
        return statistics.quantiles(self.late, n=100)[98] if len(self.late) > 1 else self.worst


def median(times: Iterable[float]) -> float:
    return statistics.median(times)


def alternate(
    runs: int, ours: Callable[[], float], bare: Callable[[], float]
) -> tuple[float, float]:
    """Medians of both, taken in turn so that a busy moment of the machine meets both."""
    pairs = [(ours(), bare()) for _ in range(runs)]
    return median(one for one, _ in pairs), median(other for _, other in pairs)


def stdio(name: str, server: str, *args: object, connect_timeout: float = 30.0) -> ServerConfig:
    """The config of a test server."""
    program, arguments = command(server, *args)
    return ServerConfig.checked(
        name=name,
        transport="stdio",
        command=program,
        args=tuple(arguments),
        connect_timeout=connect_timeout,
    )


@asynccontextmanager
async def core_with(folder: Path, *configs: ServerConfig) -> AsyncGenerator[Core]:
    """A real core whose config file does not exist; its servers are added, not started."""
    core = build_core(Paths(folder / "mcp.json", folder / "data"))
    for config in configs:
        core.service.add_server(config)
    try:
        yield core
    finally:
        await core.close()


def environment(**changes: str) -> dict[str, str]:
    """Ours with `changes`, and the project on the path; its bytecode may be kept."""
    inherited = {key: value for key, value in os.environ.items() if key != _UNCOMPILED}
    return {**inherited, "PYTHONPATH": str(ROOT), **changes}


def python(*args: str) -> list[str]:
    return [sys.executable, *args]
