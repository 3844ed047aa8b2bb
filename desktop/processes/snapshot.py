"""What runs right now: the processes of each tracked server and of the app, with what they use.

Must not know the window, and ends only what it is asked to end.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.processes import process_tree
from desktop.processes.process_table import (
    ProcessCommand,
    TableEntry,
    assign_owners,
    read_command_line,
    read_entry,
    read_table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import psutil

    from desktop.processes.tracker import McpProcessTracker

MAX_DESCRIBED = 200
"""Processes of one group that are described; all of them are counted."""
GroupKind: TypeAlias = Literal["app", "server"]


@dataclass(frozen=True, slots=True)
class ProcessInfo:
    """One process. `parent` is a PID of the same group or None; `cpu` is per cent of one core.

    `command` is the command line, `short` the same without the program's folder. `age` is in
    seconds, `memory` in bytes.
    """

    process: psutil.Process
    pid: int
    parent: int | None
    name: str
    command: str
    short: str
    owner: str
    age: float
    cpu: float | None
    memory: int
    state: str


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """The processes of one server or of the app, each after its parent.

    `count` and `memory` cover all processes, `processes` and `cpu` the first `MAX_DESCRIBED`.
    Memory is resident (RSS), so shared pages count once for each process.
    """

    kind: GroupKind
    owner: str
    processes: tuple[ProcessInfo, ...]
    count: int
    cpu: float | None
    memory: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All groups at one moment; the servers ordered by name."""

    app: ProcessGroup
    servers: tuple[ProcessGroup, ...]

    @property
    def groups(self) -> tuple[ProcessGroup, ...]:
        return (*self.servers, self.app)

    @property
    def count(self) -> int:
        """Number of processes of all servers."""
        return sum(group.count for group in self.servers)

    @property
    def memory(self) -> int:
        """Bytes of all servers."""
        return sum(group.memory for group in self.servers)


@dataclass(slots=True)
class _CachedProcess:
    """What stays the same between two snapshots, and the CPU seconds at the last one."""

    process: psutil.Process
    start: float
    created: float
    marker: str
    name: str = ""
    command_line: ProcessCommand | None = None
    seconds: float | None = None


class ProcessMonitor:
    """Takes snapshots, and caches what is expensive to read about each process."""

    def __init__(self, tracker: McpProcessTracker, app: str = "mcp-desktop") -> None:
        """Args: app: the name shown as the owner of the app's own processes."""
        self._tracker = tracker
        self._app = app
        self._cache: dict[int, _CachedProcess] = {}
        self._taken_at = 0.0

    def take_snapshot(self) -> Snapshot:
        """Look at the system once."""
        now, entries = time.monotonic(), read_table()
        tracked = self._tracker.tracked
        # A process that was attached may be reaped, and its PID reused by a stranger.
        roots = {
            server.process.pid: server.marker
            for server in tracked
            if server.process.pid in entries and server.has_own_pid
        }
        members = assign_owners(entries, roots, os.getpid(), self._read_marker)
        elapsed, self._taken_at = now - self._taken_at, now
        servers = tuple(
            self._group("server", server.owner, members[server.process.pid], entries, elapsed)
            for server in sorted(tracked, key=lambda each: (each.owner.casefold(), each.started_at))
            if server.process.pid in members
        )
        app = self._group("app", self._app, members[os.getpid()], entries, elapsed)
        seen = {pid for pids in members.values() for pid in pids}
        self._cache = {pid: cached for pid, cached in self._cache.items() if pid in seen}
        return Snapshot(app, servers)

    def _group(
        self,
        kind: GroupKind,
        owner: str,
        pids: list[int],
        entries: Mapping[int, TableEntry],
        elapsed: float,
    ) -> ProcessGroup:
        inside = set(pids)
        rows = [
            self._describe(entries[pid], owner, inside, elapsed) for pid in pids[:MAX_DESCRIBED]
        ]
        described = tuple(row for row in rows if row is not None)
        figures = [row.cpu for row in described if row.cpu is not None]
        return ProcessGroup(
            kind=kind,
            owner=owner,
            processes=described,
            count=len(pids),
            cpu=sum(figures) if figures else None,
            memory=sum(entries[pid].memory for pid in pids),
        )

    def _describe(
        self, entry: TableEntry, owner: str, inside: set[int], elapsed: float
    ) -> ProcessInfo | None:
        cached = self._look_up(entry)
        if cached is None:
            return None
        line = cached.command_line or ProcessCommand(*[entry.name] * 3)
        before, cached.seconds = cached.seconds, entry.seconds
        return ProcessInfo(
            process=cached.process,
            pid=entry.pid,
            parent=entry.parent if entry.parent in inside else None,
            name=line.name,
            command=line.command,
            short=line.short,
            owner=owner,
            age=max(0.0, time.time() - cached.created),
            cpu=_percent(entry.seconds - before, elapsed) if before is not None else None,
            memory=entry.memory,
            state=entry.state,
        )

    def _read_marker(self, entry: TableEntry) -> str:
        cached = self._look_up(entry)
        return cached.marker if cached is not None else ""

    def _look_up(self, entry: TableEntry) -> _CachedProcess | None:
        """The cached process; read anew if it is new or has executed another program."""
        cached = self._cache.get(entry.pid)
        if cached is None or cached.start != entry.start:
            cached = _read_process(entry)
            if cached is None:
                return None
            self._cache[entry.pid] = cached
        if cached.name != entry.name or cached.command_line is None:
            cached.name = entry.name
            cached.command_line = read_command_line(cached.process)
        return cached


def kill_process_tree(process: psutil.Process) -> None:
    """Kill a process and everything below it at once, if it is still the same process."""
    if not process_tree.is_alive(process):
        return
    # Collected first: after the kill they have another parent.
    below = process_tree.descendants(process.pid)
    process_tree.kill([process, *below])


def _percent(seconds: float, elapsed: float) -> float | None:
    return max(0.0, 100 * seconds / elapsed) if elapsed > 0 else None


def _read_process(entry: TableEntry) -> _CachedProcess | None:
    """Open a process of the table; None if its PID was reused since the table was read."""
    process = process_tree.find(entry.pid)
    again = read_entry(entry.pid)
    if process is None or again is None or again.start != entry.start:
        return None
    marker = process_tree.read_marker(entry.pid)
    return _CachedProcess(process, entry.start, process.create_time(), marker)
