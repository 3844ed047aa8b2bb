"""What this process and its guardian use, sampled after each round; and whether it grew.

Compares medians of the first and the last tenth: one round says little.
"""

from __future__ import annotations

import gc
import statistics
import sys
from dataclasses import astuple, dataclass, fields

import psutil

MEMORY_SLACK = 1.10, 3.0
"""Growth of memory that is noise: this factor, or this many MB."""


@dataclass(frozen=True, slots=True)
class Usage:
    """One sample; `guardian_` is 0 where there is none."""

    files: int
    threads: int
    memory_mb: float
    guardian_files: int = 0
    guardian_memory_mb: float = 0.0


def sample() -> Usage:
    gc.collect()
    me = psutil.Process()
    files, threads, memory = _of(me)
    guardian = next((child for child in me.children() if _is_guardian(child)), None)
    if guardian is None:
        return Usage(files, threads, memory)
    its_files, _, its_memory = _of(guardian)
    return Usage(files, threads, memory, its_files, its_memory)


def zombies() -> list[str]:
    """Processes below this one that ended and that nobody waited for."""
    return [str(child) for child in psutil.Process().children(recursive=True) if _is_zombie(child)]


def growth(samples: list[Usage]) -> list[tuple[str, float, float, bool]]:
    """For each figure: its median at the beginning and at the end, and whether that is growth."""
    tenth = max(1, len(samples) // 10)
    first, last = _medians(samples[:tenth]), _medians(samples[-tenth:])
    names = [field.name for field in fields(Usage)]
    return [
        (name, before, after, _has_grown(name, before, after))
        for name, before, after in zip(names, first, last, strict=True)
    ]


def _medians(samples: list[Usage]) -> list[float]:
    rows: list[tuple[float, ...]] = [astuple(sample) for sample in samples]
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def _has_grown(name: str, before: float, after: float) -> bool:
    if not name.endswith("_mb"):
        return after > before
    factor, slack = MEMORY_SLACK
    return after > max(before * factor, before + slack)


def descriptors(process: psutil.Process) -> int:
    """Open files and the like; Windows counts handles."""
    return process.num_handles() if sys.platform == "win32" else process.num_fds()


def _of(process: psutil.Process) -> tuple[int, int, float]:
    return descriptors(process), process.num_threads(), process.memory_info().rss / 1e6


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _is_guardian(process: psutil.Process) -> bool:
    try:
        return any("guardian" in argument for argument in process.cmdline())
    except psutil.Error:
        return False
