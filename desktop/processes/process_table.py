"""The system's process table: who started what and what it uses, whose it is, how it was called.

On Linux a process costs one short read: psutil would need three, and four times as long. Remembers
nothing between two calls and ends nothing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import psutil

from desktop.redaction.command_line import redact_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MAX_COMMAND_LENGTH = 400
"""Characters of a command line that are kept."""

_STATES = {
    b"R": psutil.STATUS_RUNNING,
    b"S": psutil.STATUS_SLEEPING,
    b"D": psutil.STATUS_DISK_SLEEP,
    b"Z": psutil.STATUS_ZOMBIE,
    b"T": psutil.STATUS_STOPPED,
    b"t": psutil.STATUS_TRACING_STOP,
}
_HAS_PROC = sys.platform == "linux"


# --- the table --------------------------------------------------------------------------------


class TableEntry(NamedTuple):
    """One process as the system lists it.

    `start` distinguishes two processes with the same PID; it cannot be compared with anything else.
    `name` changes when the process executes another program. `seconds` is its CPU time, `memory`
    its resident bytes including shared ones. Where there is no POSIX, group and session are 0.
    """

    pid: int
    parent: int
    group: int
    session: int
    name: str
    state: str
    seconds: float
    memory: int
    start: float


def read_table() -> dict[int, TableEntry]:
    """All processes by PID, without those that end meanwhile."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit()) if _HAS_PROC else None
    entries = map(read_entry, pids if pids is not None else psutil.pids())
    return {entry.pid: entry for entry in entries if entry is not None}


def read_entry(pid: int) -> TableEntry | None:
    """The process that has this PID now, or None."""
    return _read_proc(pid) if _HAS_PROC else _read_psutil(pid)


@cache
def _units() -> tuple[float, int]:
    """Seconds of a clock tick and bytes of a page."""
    if sys.platform == "win32":
        return 1.0, 1
    return 1 / os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


def _read_proc(pid: int) -> TableEntry | None:
    """Parse `/proc/PID/stat`, see proc(5); the name may itself contain spaces and brackets."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        line = os.read(descriptor, 1024)
    except OSError:  # it ended after the file was opened
        return None
    finally:
        os.close(descriptor)
    end = line.rindex(b")")
    fields = line[end + 2 :].split(None, 22)
    tick, page = _units()
    return TableEntry(
        pid=pid,
        parent=int(fields[1]),
        group=int(fields[2]),
        session=int(fields[3]),
        name=line[line.index(b"(") + 1 : end].decode("utf-8", "replace"),
        state=_STATES.get(fields[0], "unknown"),
        seconds=(int(fields[11]) + int(fields[12])) * tick,
        memory=int(fields[21]) * page,
        start=float(fields[19]),
    )


def _read_psutil(pid: int) -> TableEntry | None:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            return TableEntry(
                pid=pid,
                parent=process.ppid(),
                group=_posix_id("getpgid", pid),
                session=_posix_id("getsid", pid),
                name=process.name(),
                state=process.status(),
                seconds=_seconds(process),
                memory=_memory(process),
                start=process.create_time(),
            )
    except psutil.Error:
        return None


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.AccessDenied:  # another user's; kept, because it may link two of our processes
        return 0.0
    return times.user + times.system


def _memory(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.AccessDenied:
        return 0


def _posix_id(function: str, pid: int) -> int:
    get = getattr(os, function, None)
    if get is None:
        return 0
    try:
        return get(pid)
    except OSError:
        return 0


# --- ownership --------------------------------------------------------------------------------


def assign_owners(
    entries: Mapping[int, TableEntry],
    roots: Mapping[int, str],
    app: int | None,
    read_marker: Callable[[TableEntry], str],
) -> dict[int, list[int]]:
    """Which processes belong to which server, and which to the app itself. Pure.

    A process belongs to a server by descent; else by session or group; else because the server's
    keeper has adopted it; else by the marker it inherited. Whatever else the app started belongs
    to the app.

    Args:
        entries: all processes.
        roots: the PIDs of the servers, with the marker of each.
        app: the PID of the app, if it still runs; one of `entries`.
        read_marker: called only for processes that nothing else assigns.

    Returns:
        The PIDs that belong to each of `roots` and to `app`, each after its parent.
    """
    families = _Families(entries, roots)
    for root in roots:
        families.claim(root, root)
    for entry in entries.values():  # those whose parent has died
        families.claim(entry.session if entry.session in roots else entry.group, entry.pid)
    for keeper, root in _find_keepers(entries, roots, app).items():
        for pid in families.children.get(keeper, ()):
            families.claim(root, pid)
    if app is not None:
        by_marker = {marker: pid for pid, marker in roots.items()}
        families.claim_rest(app, by_marker, read_marker)
    return families.members


def _find_keepers(
    entries: Mapping[int, TableEntry], roots: Mapping[int, str], app: int | None
) -> dict[int, int]:
    """Parents of a single server, below the app: their other children are that server's orphans."""
    parents = Counter(entries[root].parent for root in roots)
    root_of = {entries[root].parent: root for root in roots}
    return {
        parent: root
        for parent, root in root_of.items()
        if parents[parent] == 1 and parent != app and _is_below(parent, app, entries)
    }


def _is_below(pid: int, ancestor: int | None, entries: Mapping[int, TableEntry]) -> bool:
    seen: set[int] = set()  # PIDs reused while the table was read can form a circle
    while pid in entries and pid not in seen:
        if pid == ancestor:
            return True
        seen.add(pid)
        pid = entries[pid].parent
    return False


class _Families:
    """Which process belongs to whom so far; none belongs to two."""

    def __init__(self, entries: Mapping[int, TableEntry], roots: Mapping[int, str]) -> None:
        self._entries, self._roots = entries, roots
        self._assigned: set[int] = set()
        self.members: dict[int, list[int]] = {root: [] for root in roots}
        self.children: dict[int, list[int]] = {}
        for entry in entries.values():
            self.children.setdefault(entry.parent, []).append(entry.pid)

    def claim(self, root: int, pid: int) -> None:
        """Assign `pid` and its descendants to `root`, except those that are assigned already."""
        is_other_root = pid in self._roots and pid != root
        if root not in self._roots or is_other_root:
            return
        for member in (pid, *self._below(pid, stop=self._roots)):
            self._assign(root, member)

    def claim_rest(
        self,
        app: int,
        by_marker: Mapping[str, int],
        read_marker: Callable[[TableEntry], str],
    ) -> None:
        """Assign what is left below the app to the server of its marker, or to the app."""
        self.members[app] = []
        self._assign(app, app)
        for pid in self._below(app):
            if pid not in self._assigned:
                root = by_marker.get(read_marker(self._entries[pid]))
                if root is not None:
                    self.claim(root, pid)
                self._assign(app, pid)

    def _assign(self, root: int, pid: int) -> None:
        if pid not in self._assigned:
            self._assigned.add(pid)
            self.members[root].append(pid)

    def _below(self, pid: int, stop: Mapping[int, str] | None = None) -> Iterator[int]:
        """Descendants, each after its parent; without those in `stop` and what is below them."""
        seen = {pid}
        waiting = list(reversed(self.children.get(pid, ())))
        while waiting:
            child = waiting.pop()
            if child not in seen and (stop is None or child not in stop):
                seen.add(child)
                yield child
                waiting += reversed(self.children.get(child, ()))


# --- command lines ----------------------------------------------------------------------------


def read_words(process: psutil.Process) -> list[str]:
    """The words that a process was called with; none where they cannot be read.

    A zombie no longer has a command line, a process that was just started may not have one yet.
    """
    try:
        words = process.cmdline()
    except psutil.Error:
        return []
    while words and not words[-1]:  # left by programs that set a title, as npx does
        words.pop()
    return words


def format_command(words: Sequence[str]) -> str:
    """A command on one line of at most `MAX_COMMAND_LENGTH` characters, with secrets masked."""
    kept: list[str] = []
    room = MAX_COMMAND_LENGTH
    for word in words:
        # Truncated to the final length only after masking: a cut could separate a secret from
        # the name that gives it away.
        kept.append(word[: MAX_COMMAND_LENGTH * 4])
        room -= len(word)
        if room < -MAX_COMMAND_LENGTH * 4:
            break
    line = " ".join(redact_command(kept).split())
    return line if len(line) <= MAX_COMMAND_LENGTH else f"{line[: MAX_COMMAND_LENGTH - 1]}…"
