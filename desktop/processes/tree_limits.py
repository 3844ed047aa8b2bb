"""Counts what a server uses with all that it started, and ends it where that is too much.

For systems without cgroups that a person may make. It looks once in a while: what grows faster than
that is not held. Must not know how a server came by its limits.
"""

from __future__ import annotations

import asyncio
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
    memory = tasks = 0
    for process in (tracked.identity, *below):
        if process is None:
            continue
        try:
            with process.oneshot():
                memory += process.memory_info().rss
                tasks += process.num_threads()
        except (psutil.Error, OSError):
            continue  # it has ended, or is another user's
        if limits.memory and memory > limits.memory:
            return "memory"
        if limits.processes and tasks > limits.processes:
            return "processes"
    return ""
