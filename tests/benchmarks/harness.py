"""What the benchmarks share: rows of a table, medians, the lag of a loop, a core without a file.

A figure is a ratio against something bare, taken in the same run: walls of one machine say little.
Both are run by turns, so that a busy moment meets both, and a ratio is that of one turn; its
quartiles say how far to trust it. `Calibration` says whether the machine was quiet enough at all.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.core import Core, build_core
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterable

_UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of some figures and their quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> Spread:
        given = sorted(figures)
        if len(given) == 1:
            given *= 2
        import statistics  # not with the module: the window that is measured imports that, too

        return cls(*statistics.quantiles(given, n=4, method="inclusive"))


@dataclass(frozen=True, slots=True)
class Compared:
    """What was measured by turns, in seconds: ours and the bare figure of each turn."""

    turns: tuple[tuple[float, float], ...]

    @property
    def ours(self) -> float:
        return median(one for one, _ in self.turns)

    @property
    def bare(self) -> float:
        return median(other for _, other in self.turns)

    @property
    def ratio(self) -> Spread:
        return Spread.of(one / other for one, other in self.turns)

    def row(self, what: str, goal: str, unit: str = "ms") -> Row:
        factor = {"us": 1e6, "ms": 1e3, "s": 1.0}[unit]
        return Row(what, self.ours * factor, self.bare * factor, unit, goal, self.ratio)


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what was measured, ours, the bare figure, and the goal for their ratio.

    `ratio` is that of the turns, with its quartiles; without it, that of the two figures.
    """

    what: str
    ours: float
    bare: float | None = None
    unit: str = "ms"
    goal: str = ""
    ratio: Spread | None = None

    def __str__(self) -> str:
        bare = f"{self.bare:10.2f}" if self.bare is not None else " " * 10
        line = f"{self.what:<58}{self.ours:10.2f}{bare} {self.unit:<4}{self._ratio:<22}"
        return f"{line}{self.goal}".rstrip()

    @property
    def _ratio(self) -> str:
        if (ratio := self.ratio) is not None:
            return f"{ratio.median:6.2f} x ({ratio.low:.2f}-{ratio.high:.2f})"
        return f"{self.ours / self.bare:6.2f} x" if self.bare else ""


HEAD = f"{'':<58}{'ours':>10}{'bare':>10} {'':<4}{'ratio (quartiles)':<22}goal"
QUIET: Final = 1.25
"""How much longer the upper quartile of the calibrating loop may take than its least turn."""
_CALIBRATION_TURNS: Final = 30
_CALIBRATION_WORK: Final = 40_000


class Calibration:
    """A loop that always does the same: how differently it lasts is what the machine adds."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        """Seconds of each turn."""

    def run(self) -> None:
        for _ in range(_CALIBRATION_TURNS):
            began = time.perf_counter()
            total = 0
            for number in range(_CALIBRATION_WORK):
                total += number
            self.taken.append(time.perf_counter() - began)

    @property
    def noise(self) -> float:
        """The upper quartile over the least turn; 1 on a machine that does nothing else."""
        return Spread.of(self.taken).high / min(self.taken)

    @property
    def is_quiet(self) -> bool:
        return self.noise <= QUIET

    def __str__(self) -> str:
        spread, least = Spread.of(self.taken), min(self.taken)
        load = ", ".join(f"{each:.1f}" for each in psutil.getloadavg())
        verdict = (
            "quiet enough"
            if self.is_quiet
            else f"TOO NOISY for what is not a ratio (over {QUIET - 1:.0%})"
        )
        return (
            f"machine: {os.cpu_count()} cores, load {load}; the same loop took {least * 1e3:.2f} ms"
            f" at least, {spread.median / least - 1:+.0%} median, {spread.high / least - 1:+.0%}"
            f" upper quartile: {verdict}"
        )


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
        await asyncio.sleep(0)  # it begins before what is watched, which may not wait at all
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
        import statistics

        return statistics.quantiles(self.late, n=100)[98] if len(self.late) > 1 else self.worst


_SPIN = """
import os, sys
os.nice(19)
if hasattr(os, "SCHED_IDLE"):
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
print("up", flush=True)
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(100_000):
        pass
"""


@contextmanager
def awake() -> Generator[None]:
    """A block in which no core sleeps: what is left over on each goes to a loop that does nothing.

    A small call is two processes that wake each other. On a machine that does nothing else the
    cores sleep between two messages, and how soon they wake is most of a call, ours and the SDK's:
    the ratio says little of either then, and another thing on another machine.
    """
    spinning = [
        subprocess.Popen(python("-S", "-c", _SPIN), stdout=subprocess.PIPE)
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        for each in spinning:
            assert each.stdout is not None
            each.stdout.readline()
        yield
    finally:
        for each in spinning:
            each.kill()
            each.communicate()


def megabytes(process: psutil.Process | None = None) -> float:
    """What this process takes, or that one; what it shares counts as its part where it is told."""
    memory = (process or psutil.Process()).memory_full_info()
    return (memory.pss if sys.platform == "linux" else memory.uss) / 1e6


def cpu_seconds() -> float:
    """Of this process and of those that have ended below it."""
    if sys.platform == "win32":
        raise OSError("Windows does not sum up what has ended")
    import resource

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def set_imports_aside() -> None:
    """What the window and the commands do when all is imported: no collection looks through it.

    It holds for both sides of a benchmark, which run in this process.
    """
    gc.collect()
    gc.freeze()


def median(times: Iterable[float]) -> float:
    import statistics

    return statistics.median(times)


def compare(runs: int, ours: Callable[[], float], bare: Callable[[], float]) -> Compared:
    """Both by turns, so that a busy moment of the machine meets both."""
    return Compared(tuple((ours(), bare()) for _ in range(runs)))


def alternate(
    runs: int, ours: Callable[[], float], bare: Callable[[], float]
) -> tuple[float, float]:
    """The medians of `compare`."""
    compared = compare(runs, ours, bare)
    return compared.ours, compared.bare


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
