"""Memory and age of the servers' processes, read in one pass every few seconds.

Must not import psutil before the first pass, which is made after the first paint.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import psutil

INTERVAL_MS = 2000
DELAY_MS = 100
"""From news of a server to the next pass; servers that start together share it."""
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
                found[pid] = self._read_process(pid)
            except psutil.Error:
                self._roots.pop(pid, None)
        return found

    def _read_process(self, pid: int) -> ProcessUsage:
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


class UsagePoller(QObject):
    """Reads the usage of the processes that `pids` names, for as long as it runs."""

    measured = Signal(object)
    """A dict of `ProcessUsage` by PID."""

    def __init__(self, pids: Callable[[], Iterable[int]], parent: QObject) -> None:
        super().__init__(parent)
        self._pids = pids
        self._reader = UsageReader()
        self._every = QTimer(self, interval=INTERVAL_MS)
        self._soon = QTimer(self, singleShot=True, interval=DELAY_MS)
        for timer in (self._every, self._soon):
            timer.timeout.connect(self.read)

    @property
    def is_running(self) -> bool:
        return self._every.isActive()

    def start(self) -> None:
        self._every.start()
        self._soon.start()

    def stop(self) -> None:
        self._every.stop()
        self._soon.stop()

    def read_soon(self) -> None:
        """Read once between two regular passes, if it runs."""
        if self.is_running and not self._soon.isActive():
            self._soon.start()

    def read(self) -> None:
        """Make one pass now."""
        self.measured.emit(self._reader.read(self._pids()))
