"""Counts what a server uses with all that it started.

For systems without cgroups that a person may make. The tracker looks once in a while: what grows
faster than that is not held. Must not end anything, nor know how a server came by its limits.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.processes.process import TreeLimits

INTERVAL: Final = 1.0
"""Seconds between two looks."""

ReachedLimit: TypeAlias = Literal["", "memory", "processes"]


def reached(limits: TreeLimits, family: Iterable[psutil.Process]) -> ReachedLimit:
    """Which limit a server is over with all it started; the processes first: they take memory, too.

    Blocks for a look at each process.
    """
    family = list(family)
    if limits.processes and _is_over(limits.processes, psutil.Process.num_threads, family):
        return "processes"
    # Resident memory is quickly read, and counts what processes share for each of them.
    is_suspect = limits.memory and _is_over(limits.memory, _resident, family)
    return "memory" if is_suspect and _is_over(limits.memory, _own_share, family) else ""


def _is_over(
    limit: int, measure: Callable[[psutil.Process], int], family: Iterable[psutil.Process]
) -> bool:
    used = 0
    for process in family:
        with contextlib.suppress(psutil.Error, OSError):  # it has ended, or is another user's
            used += measure(process)
        if used > limit:
            return True
    return False


def _resident(process: psutil.Process) -> int:
    return process.memory_info().rss


def _own_share(process: psutil.Process) -> int:
    """Its part of what it shares with others, and all else; where nobody knows it, all of it."""
    try:
        info = process.memory_full_info()
    except psutil.AccessDenied:
        return _resident(process)
    return getattr(info, "pss", info.uss)
