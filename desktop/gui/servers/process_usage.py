"""Memory, CPU and age of the servers' processes, read in one pass every few seconds.

Must not import psutil before the first pass, which is made after the first paint.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

INTERVAL_MS = 2000
MAX_INTERVAL_MS = 32_000
"""Between two passes while nobody finds anything new: each waits twice as long as the last."""
_LITTLE = 1_000_000
"""Bytes that a server's memory grows by without being news."""
_BUSY = 0.5
"""Per cent of a core from which a server does something."""
DELAY_MS = 100
"""From news of a server to the next pass; servers that start together share it."""
SECOND_MS = 400
"""From the first look at a process to the second one, which knows its CPU."""
SEARCH_EVERY = 8
"""Passes between two searches for what a server started: they cost more than all the rest."""


class ProcessUsage(Struct, frozen=True):
    """What a server takes, everything it started included; `cpu` is per cent of one core.

    `cpu` is None at the first look: there is nothing to compare with.
    """

    memory: int
    seconds: float
    cpu: float | None = None


class _Family:
    """A server's process and what it started, with the CPU time of each at the last look."""

    __slots__ = ("below", "created", "seconds", "start")

    def __init__(self, start: float, created: float) -> None:
        self.start, self.created = start, created
        self.below: list[int] | None = None
        self.seconds: dict[tuple[int, float], float] = {}


class UsageReader:
    """Keeps what it knows between passes, so that one costs little more than a short read each."""

    def __init__(self) -> None:
        self._families: dict[int, _Family] = {}
        self._passes = 0
        self._read_at = 0.0

    def read(self, pids: Iterable[int]) -> dict[int, ProcessUsage]:
        """The usage by PID; those that ended meanwhile are left out."""
        now = time.monotonic()
        elapsed, self._read_at = now - self._read_at, now
        wanted = set(pids)
        self._families = {pid: one for pid, one in self._families.items() if pid in wanted}
        if self._passes % SEARCH_EVERY == 0:
            for family in self._families.values():
                family.below = None
        self._passes += 1
        found = {pid: self._read_family(pid, elapsed) for pid in wanted}
        return {pid: usage for pid, usage in found.items() if usage is not None}

    def _read_family(self, pid: int, elapsed: float) -> ProcessUsage | None:
        from desktop.processes import process_tree
        from desktop.processes.process_table import read_entry

        entry, family = read_entry(pid), self._families.get(pid)
        if entry is None:
            self._families.pop(pid, None)
            return None
        if family is None or family.start != entry.start:
            process = process_tree.find(pid)
            if process is None:
                return None
            family = self._families[pid] = _Family(entry.start, process.create_time())
        if family.below is None:
            family.below = [process.pid for process in process_tree.descendants(pid)]
        members = [entry, *filter(None, map(read_entry, family.below))]
        before = family.seconds
        family.seconds = {(one.pid, one.start): one.seconds for one in members}
        spent = [family.seconds[key] - before[key] for key in family.seconds if key in before]
        return ProcessUsage(
            memory=sum(one.memory for one in members),
            seconds=max(0.0, time.time() - family.created),
            cpu=max(0.0, 100 * sum(spent) / elapsed) if spent and elapsed > 0 else None,
        )


class UsagePoller(QObject):
    """Reads the usage of the processes that `pids` names, for as long as it runs."""

    measured = Signal(object)
    """A dict of `ProcessUsage` by PID."""

    def __init__(self, pids: Callable[[], Iterable[int]], parent: QObject) -> None:
        super().__init__(parent)
        self._pids = pids
        self._reader = UsageReader()
        self._last: dict[int, ProcessUsage] = {}
        self._every = QTimer(self, interval=INTERVAL_MS)
        self._soon = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._second = QTimer(self, singleShot=True, interval=SECOND_MS)
        for timer in (self._every, self._soon, self._second):
            timer.timeout.connect(self.read)

    @property
    def is_running(self) -> bool:
        return self._every.isActive()

    def start(self) -> None:
        self._every.start(INTERVAL_MS)
        self._soon.start()

    def stop(self) -> None:
        for timer in (self._every, self._soon, self._second):
            timer.stop()

    def read_soon(self) -> None:
        """Read once between two regular passes, if it runs."""
        if self.is_running and not self._soon.isActive():
            self._every.start(INTERVAL_MS)
            self._soon.start()

    def read(self) -> None:
        """Make one pass now; soon again where a process has no CPU figure yet."""
        usage = self._reader.read(self._pids())
        interval = min(self._every.interval() * 2, MAX_INTERVAL_MS)
        if _is_news(self._last, usage):
            self._last, interval = usage, INTERVAL_MS
        if interval != self._every.interval():
            self._every.setInterval(interval)
        self.measured.emit(usage)
        if self.is_running and any(one.cpu is None for one in usage.values()):
            self._second.start()


def _is_news(before: dict[int, ProcessUsage], after: dict[int, ProcessUsage]) -> bool:
    return before.keys() != after.keys() or any(
        one.cpu is None
        or one.cpu > _BUSY
        or (before[pid].cpu or 0.0) > _BUSY
        or abs(one.memory - before[pid].memory) > _LITTLE
        for pid, one in after.items()
    )
