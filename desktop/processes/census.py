"""What runs right now: the processes of each tracked server and of the app, with what they take.

Ends what it is told to, by identity; never by itself. Must not know the window.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.processes import belonging, tree
from desktop.processes.commands import CommandWords, command_words
from desktop.processes.table import Entry, read_entry, read_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    import psutil

    from desktop.processes.tracker import McpProcessTracker

MAX_ROWS = 200
"""Processes of one group that are described; all of them are counted."""
Kind: TypeAlias = Literal["app", "server"]


@dataclass(frozen=True, slots=True)
class Observed:
    """One process. `parent` is a PID of the same group, or None; `cpu` is per cent of one core.

    `command` is the command line, `short` the same without the folder of the program.
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
class Group:
    """The processes of one server, or of the app: each after the one that started it.

    `count` and `memory` are of all, `processes` and `cpu` of the first `MAX_ROWS`. Memory is
    resident (RSS): what processes share is counted for each.
    """

    kind: Kind
    owner: str
    processes: tuple[Observed, ...]
    count: int
    cpu: float | None
    memory: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything at one moment; the servers by name."""

    app: Group
    servers: tuple[Group, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        return (*self.servers, self.app)

    @property
    def count(self) -> int:
        """Processes of all servers."""
        return sum(group.count for group in self.servers)

    @property
    def memory(self) -> int:
        """Of all servers."""
        return sum(group.memory for group in self.servers)


@dataclass(slots=True)
class _Known:
    """What does not change from one look to the next, and the CPU time at the last one."""

    process: psutil.Process
    start: float
    created: float
    marker: str
    name: str = ""
    words: CommandWords | None = None
    seconds: float | None = None


class Census:
    """Takes snapshots; remembers of each process what is dear to ask."""

    def __init__(self, tracker: McpProcessTracker, app: str = "mcp-desktop") -> None:
        """Args: app: what the owner of the app's own processes is called."""
        self._tracker = tracker
        self._app = app
        self._known: dict[int, _Known] = {}
        self._taken_at = 0.0

    def take(self) -> Snapshot:
        """One look at the system."""
        now, entries = time.monotonic(), read_table()
        tracked = self._tracker.tracked
        # One that somebody else started may be reaped, and its PID given to a stranger.
        roots = {
            one.process.pid: one.marker
            for one in tracked
            if one.process.pid in entries and one.has_own_pid
        }
        members = belonging.assign(entries, roots, os.getpid(), self._marker)
        since, self._taken_at = now - self._taken_at, now
        servers = tuple(
            self._group("server", one.owner, members[one.process.pid], entries, since)
            for one in sorted(tracked, key=lambda one: (one.owner.casefold(), one.started_at))
            if one.process.pid in members
        )
        app = self._group("app", self._app, members[os.getpid()], entries, since)
        seen = {pid for pids in members.values() for pid in pids}
        self._known = {pid: known for pid, known in self._known.items() if pid in seen}
        return Snapshot(app, servers)

    def _group(
        self, kind: Kind, owner: str, pids: list[int], entries: Mapping[int, Entry], since: float
    ) -> Group:
        inside = set(pids)
        rows = [self._observe(entries[pid], owner, inside, since) for pid in pids[:MAX_ROWS]]
        observed = tuple(row for row in rows if row is not None)
        figures = [row.cpu for row in observed if row.cpu is not None]
        return Group(
            kind=kind,
            owner=owner,
            processes=observed,
            count=len(pids),
            cpu=sum(figures) if figures else None,
            memory=sum(entries[pid].memory for pid in pids),
        )

    def _observe(self, entry: Entry, owner: str, inside: set[int], since: float) -> Observed | None:
        known = self._know(entry)
        if known is None:
            return None
        words = known.words or CommandWords(*[entry.name] * 3)
        before, known.seconds = known.seconds, entry.seconds
        return Observed(
            process=known.process,
            pid=entry.pid,
            parent=entry.parent if entry.parent in inside else None,
            name=words.name,
            command=words.command,
            short=words.short,
            owner=owner,
            age=max(0.0, time.time() - known.created),
            cpu=_percent(entry.seconds - before, since) if before is not None else None,
            memory=entry.memory,
            state=entry.state,
        )

    def _marker(self, entry: Entry) -> str:
        known = self._know(entry)
        return known.marker if known is not None else ""

    def _know(self, entry: Entry) -> _Known | None:
        """What is remembered of this process; asked for where it is new or another program now."""
        known = self._known.get(entry.pid)
        if known is None or known.start != entry.start:
            known = _meet(entry)
            if known is None:
                return None
            self._known[entry.pid] = known
        if known.name != entry.name or known.words is None:
            known.name = entry.name
            known.words = command_words(known.process)
        return known


def _percent(seconds: float, since: float) -> float | None:
    return max(0.0, 100 * seconds / since) if since > 0 else None


def kill(process: psutil.Process) -> None:
    """End one process and all below it at once, if it still is the process it was."""
    if not tree.is_alive(process):
        return
    # Gathered first: afterwards they have another parent.
    below = tree.descendants(process.pid)
    tree.kill([process, *below])


def _meet(entry: Entry) -> _Known | None:
    """Take hold of a process; None if its PID was given to another since the table was read."""
    process = tree.find(entry.pid)
    again = read_entry(entry.pid)
    if process is None or again is None or again.start != entry.start:
        return None
    return _Known(process, entry.start, process.create_time(), tree.marker_of(entry.pid))
