"""Memory and age of the servers' processes, read in one pass and only when asked.

Must not import psutil before the first pass, nor decide how often one is made.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import psutil

SEARCH_EVERY = 8
"""Passes between two searches for what a server started: they cost more than all the rest."""


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """What a server takes, everything it started included."""

    memory: int
    seconds: float


class UsageReader:
    """Keeps the processes between passes, so that one costs little more than a read each."""

    def __init__(self) -> None:
        self._roots: dict[int, psutil.Process] = {}
        self._below: dict[int, list[psutil.Process]] = {}
        self._passes = 0

    def read(self, pids: Iterable[int]) -> dict[int, ProcessUsage]:
        """The usage by PID; those that ended meanwhile are left out."""
        import psutil

        wanted = set(pids)
        self._roots = {pid: root for pid, root in self._roots.items() if pid in wanted}
        if self._passes % SEARCH_EVERY == 0:
            self._below.clear()
        self._passes += 1
        found: dict[int, ProcessUsage] = {}
        for pid in wanted:
            try:
                found[pid] = self._read_one(pid)
            except psutil.Error:
                self._roots.pop(pid, None)
        return found

    def _read_one(self, pid: int) -> ProcessUsage:
        import psutil

        from desktop.processes import process_tree

        root = self._roots.get(pid)
        if root is None:
            root = self._roots[pid] = psutil.Process(pid)
        memory = root.memory_info().rss
        if pid not in self._below:
            self._below[pid] = process_tree.descendants(pid)
        for process in self._below[pid]:
            try:
                memory += process.memory_info().rss
            except psutil.Error:
                continue
        return ProcessUsage(memory, max(0.0, time.time() - root.create_time()))
