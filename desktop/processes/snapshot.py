"""What runs right now: the processes of each tracked server and of the app, with what they use.

Must not know the window, and ends nothing.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from desktop.processes import process_tree
from desktop.processes.guardian_protocol import read_tag, tag_for
from desktop.processes.process_command import ProcessCommand, read_command_line
from desktop.processes.process_table import TableEntry, assign_owners, read_entry, read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import psutil

    from desktop.processes.tracker import McpProcessTracker, TrackedProcess

MAX_DESCRIBED = 200
"""Processes of one group that are described; all of them are counted."""
GroupKind: TypeAlias = Literal["app", "keepers", "server"]
"""`keepers`: the processes that end the servers when the app cannot (`linux_guardian`)."""


class ProcessInfo(Struct, frozen=True):
    """One process. `parent` is a PID of the same group or None; `cpu` is per cent of one core.

    `name` is the package or the program that it runs, `title` the same with what runs it.
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
    title: str = ""


class ProcessGroup(Struct, frozen=True):
    """The processes of one server, of the app or of its keepers, each after its parent.

    `count` and `memory` cover all processes, `processes` and `cpu` the first `MAX_DESCRIBED`.
    Memory is resident (RSS), so shared pages count once for each process.
    """

    kind: GroupKind
    owner: str
    processes: tuple[ProcessInfo, ...]
    count: int
    cpu: float | None
    memory: int


class Snapshot(Struct, frozen=True):
    """All groups at one moment; the servers ordered by name."""

    app: ProcessGroup
    servers: tuple[ProcessGroup, ...]
    keepers: ProcessGroup | None = None

    @property
    def groups(self) -> tuple[ProcessGroup, ...]:
        keepers = (self.keepers,) if self.keepers is not None else ()
        return (*self.servers, *keepers, self.app)

    @property
    def lacks_cpu(self) -> bool:
        """Whether a process is new since the last look, so that its CPU is not known yet."""
        return any(process.cpu is None for group in self.groups for process in group.processes)

    @property
    def count(self) -> int:
        """Number of processes of all servers."""
        return sum(group.count for group in self.servers)

    @property
    def memory(self) -> int:
        """Bytes of all servers."""
        return sum(group.memory for group in self.servers)


class _CachedProcess(Struct):
    """What stays the same between two snapshots, and the CPU seconds at the last one."""

    process: psutil.Process
    start: float
    created: float
    marker: str
    tag: int | None
    name: str = ""
    command_line: ProcessCommand | None = None
    seconds: float | None = None


class ProcessMonitor:
    """Takes snapshots, and caches what is expensive to read about each process."""

    def __init__(
        self, tracker: McpProcessTracker, app: str = "mcp-desktop", keepers: str = "keepers"
    ) -> None:
        """Args: app, keepers: the names shown as the owners of what belongs to no server."""
        self._tracker = tracker
        self._app, self._keepers = app, keepers
        self._cache: dict[int, _CachedProcess] = {}
        self._marker_of_tag: dict[int, str] = {}
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
        self._marker_of_tag = {tag_for(marker): marker for marker in roots.values()}
        members = assign_owners(entries, roots, os.getpid(), self._read_marker)
        _follow_jobs(members, tracked, entries)
        elapsed, self._taken_at = now - self._taken_at, now
        servers = tuple(
            self._group("server", server.owner, members[server.process.pid], entries, elapsed)
            for server in sorted(tracked, key=lambda each: (each.owner.casefold(), each.started_at))
            if server.process.pid in members
        )
        guards = self._guards(members[os.getpid()], entries)
        own = [pid for pid in members[os.getpid()] if pid not in guards]
        app = self._group("app", self._app, own, entries, elapsed)
        keepers = self._group("keepers", self._keepers, guards, entries, elapsed)
        seen = {pid for pids in members.values() for pid in pids}
        self._cache = {pid: cached for pid, cached in self._cache.items() if pid in seen}
        return Snapshot(app, servers, keepers if guards else None)

    def _guards(self, members: list[int], entries: Mapping[int, TableEntry]) -> list[int]:
        """Of the app's own processes those that only watch over servers, each after its parent."""
        known = {server.process.keeper_pid for server in self._tracker.tracked}
        guards: list[int] = []
        for pid in members:
            is_guard = pid in known or entries[pid].parent in guards
            if is_guard or pid == self._tracker.guardian.pid:
                guards.append(pid)
        return guards

    def forget(self) -> None:
        """Begin anew: the CPU time of the next look is compared with nothing."""
        self._cache.clear()

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
        line = cached.command_line or ProcessCommand(*[entry.name] * 4)
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
            title=line.title,
        )

    def _read_marker(self, entry: TableEntry) -> str:
        """The marker in its environment, or the one whose tag it carries."""
        cached = self._look_up(entry)
        if cached is None:
            return ""
        return cached.marker or self._marker_of_tag.get(cached.tag or 0, "")

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


def _follow_jobs(
    members: dict[int, list[int]],
    tracked: Iterable[TrackedProcess],
    entries: Mapping[int, TableEntry],
) -> None:
    """Windows: what lost its parent is in the job of its server all the same."""
    for server in tracked:
        if (own := members.get(server.process.pid)) is None:
            continue
        lost = set(server.process.members() or ()) & entries.keys() - set(own)
        for others in members.values():
            others[:] = [pid for pid in others if pid not in lost]
        own += sorted(lost)


def _percent(seconds: float, elapsed: float) -> float | None:
    return max(0.0, 100 * seconds / elapsed) if elapsed > 0 else None


def _read_process(entry: TableEntry) -> _CachedProcess | None:
    """Open a process of the table; None if its PID was reused since the table was read."""
    process = process_tree.find(entry.pid)
    again = read_entry(entry.pid)
    if process is None or again is None or again.start != entry.start:
        return None
    marker = process_tree.read_marker(entry.pid)
    tag = None if marker else read_tag(entry.pid)
    return _CachedProcess(process, entry.start, process.create_time(), marker, tag)
