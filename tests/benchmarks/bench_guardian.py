"""What the guardian costs at each process: ours under it against ours without it, by turns.

`cat` is what is started, so that little else is measured. Linux.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

if sys.platform != "linux":
    raise ImportError("this is for Linux")

from desktop.processes.linux_guardian import Guardian
from desktop.processes.process import LaunchSpec
from desktop.processes.spawn import start_process
from tests.benchmarks.harness import Compared, Row, cpu_seconds, median
from tests.processes.recorder import Recorder

CAT = LaunchSpec("/bin/cat", (), dict(os.environ))
TURNS = 15
PROCESSES = 20
LIMIT = 10.0
_TICKS = os.sysconf("SC_CLK_TCK")


async def _start_and_end(guardian: Guardian | None) -> float:
    """Seconds until it runs."""
    began = time.perf_counter()
    process = await start_process(CAT, Recorder(), guardian)
    taken = time.perf_counter() - began
    process.close_stdin()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    await process.wait_released(LIMIT)
    return taken


async def _turn(guardian: Guardian | None, pid: int) -> tuple[float, float]:
    """Seconds until one runs (median), and of CPU with its end."""
    before = _cpu(pid)
    starts = [await _start_and_end(guardian) for _ in range(PROCESSES)]
    return median(starts), (_cpu(pid) - before) / PROCESSES


def _cpu(guardian: int) -> float:
    """Seconds of this process, of what has ended below it, and of guardian and keeper."""
    return cpu_seconds() + _cpu_of(guardian)


def _cpu_of(pid: int) -> float:
    """Seconds of a process, of its children, and of those that it has reaped."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(map(int, fields[11:15])) / _TICKS + sum(_cpu_of(int(child)) for child in children)


async def _compare() -> tuple[Compared, Compared]:
    """Start, and CPU with the end, of a process under the guardian and of one without it."""
    guardian = Guardian()
    lasting = await start_process(CAT, Recorder(), guardian)
    pid = guardian.pid
    assert pid is not None
    await _turn(guardian, pid)
    await _turn(None, pid)
    turns = [(await _turn(guardian, pid), await _turn(None, pid)) for _ in range(TURNS)]
    lasting.release()
    await lasting.wait_released(LIMIT)
    await guardian.wait_idle(LIMIT)
    starts = tuple((ours[0], bare[0]) for ours, bare in turns)
    cpus = tuple((ours[1], bare[1]) for ours, bare in turns)
    return Compared(starts), Compared(cpus)


def measure() -> list[Row]:
    starts, cpus = asyncio.run(_compare())
    return [
        starts.row("a process under the guardian: until it runs", ""),
        Row("the same, more than without it", _more(starts), None, "ms", "<= 1 ms"),
        cpus.row("a process under the guardian: CPU with its end", ""),
        Row("the same, more than without it", _more(cpus), None, "ms", "<= 1 ms"),
    ]


def _more(compared: Compared) -> float:
    return median(ours - bare for ours, bare in compared.turns) * 1e3
