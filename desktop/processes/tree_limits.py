"""Counts what a server uses with all that it started, and ends it where that is too much.

For systems without cgroups that a person may make. It looks once in a while: what grows faster than
that is not held. Must not know how a server came by its limits.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import psutil

from desktop.processes import process_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.processes.process import TreeLimits
    from desktop.processes.tracker import TrackedProcess

INTERVAL: Final = 1.0
"""Seconds between two looks."""

ReachedLimit: TypeAlias = Literal["", "memory", "processes"]


async def end_at_limit(
    tracked: TrackedProcess, limits: TreeLimits, servers: Callable[[], set[int]]
) -> None:
    """Look until it has ended, or has reached a limit: then kill all of it.

    Args:
        tracked: says afterwards which limit that was.
        limits: what it may use.
        servers: the PIDs of all servers, which are not its own.
    """
    exited = tracked.process.exited
    while not exited.is_set():
        try:
            await asyncio.wait_for(exited.wait(), INTERVAL)
        except TimeoutError:
            below = await asyncio.to_thread(tracked.descendants, servers())
            if reached := await asyncio.to_thread(_reached, tracked, below, limits):
                tracked.reached = reached
                process_tree.kill(tracked.family(below))


def _reached(
    tracked: TrackedProcess, below: Iterable[psutil.Process], limits: TreeLimits
) -> ReachedLimit:
    """The processes first: many take memory, too."""
    family = [each for each in (tracked.identity, *below) if each is not None]
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
