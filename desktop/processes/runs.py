"""The runs of the app on this machine, seen from outside: their servers' processes, and leftovers.

Known from the ledgers of a data folder and from what servers have in their environment (Linux).
Both are hints that may be stale or edited: each is checked against what runs. Ends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from desktop.processes import belonging, leftover, tree
from desktop.processes.ledger import SUFFIX
from desktop.processes.leftover import OWNER_SHOWN
from desktop.processes.table import Entry, read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from desktop.processes.identity import Identity


@dataclass(frozen=True, slots=True)
class Owned:
    """A process of a server, or of the app itself: then `owner` is empty."""

    owner: str
    process: psutil.Process
    entry: Entry


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the app has running. Without `app` that run has ended: they are leftovers.

    `is_listed`: a ledger of the data folder tells of it.
    """

    pid: int
    app: psutil.Process | None
    processes: tuple[Owned, ...]
    is_listed: bool


@dataclass(slots=True)
class _Server:
    """A process that was started for a server; `app` is the PID of who started it."""

    pid: int
    owner: str
    app: int
    is_listed: bool


def find_runs(ledgers: Path) -> tuple[Run, ...]:
    """All runs of this user, in the order of their PIDs; `ledgers` is the folder of one of them."""
    # A zombie has ended: it holds nothing but its PID, until its parent asks.
    table = read_table().items()
    entries = {pid: entry for pid, entry in table if entry.state != psutil.STATUS_ZOMBIE}
    listed = dict(_listed_apps(ledgers, entries))
    servers = {one.pid: one for one in _marked(entries)}
    servers |= {one.pid: one for one in _listed(ledgers, entries)}
    apps = sorted(
        {one.app for one in servers.values()} | {pid for pid, runs in listed.items() if runs}
    )
    return tuple(
        _run(app, [one for one in servers.values() if one.app == app], listed, entries)
        for app in apps
    )


def _run(
    pid: int, servers: list[_Server], listed: Mapping[int, bool], entries: Mapping[int, Entry]
) -> Run:
    """Args: listed: the apps that a ledger tells of, and whether each still runs."""
    runs = listed[pid] if pid in listed else _is_older(pid, servers, entries)
    roots = {one.pid: str(one.pid) for one in servers}
    members = belonging.assign(entries, roots, pid if runs else None, lambda _: "")
    owners = {one.pid: one.owner for one in servers}
    owned = tuple(
        Owned(owners.get(root, ""), process, entries[one])
        for root in ([pid] if runs else []) + list(roots)
        for one in members[root]
        if (process := tree.find(one)) is not None
    )
    is_listed = pid in listed or any(one.is_listed for one in servers)
    return Run(pid, tree.find(pid) if runs else None, owned, is_listed)


def _is_older(pid: int, servers: Iterable[_Server], entries: Mapping[int, Entry]) -> bool:
    """Whether the process of this PID can have started them, or got the PID of one that did."""
    app = entries.get(pid)
    return app is not None and all(app.start <= entries[one.pid].start for one in servers)


def _marked(entries: Mapping[int, Entry]) -> Iterator[_Server]:
    """The topmost processes with our mark in their environment."""
    marks = {pid: mark for pid in entries if (mark := tree.server_of(pid)) is not None}
    for pid, mark in marks.items():
        if marks.get(entries[pid].parent) != mark:
            yield _Server(pid, mark[1][:OWNER_SHOWN], mark[0], is_listed=False)


def _listed_apps(folder: Path, entries: Mapping[int, Entry]) -> Iterator[tuple[int, bool]]:
    for _, app in _ledgers(folder):
        entry = entries.get(app.pid)
        yield app.pid, entry is not None and entry.start == _number(app.start)


def _listed(folder: Path, entries: Mapping[int, Entry]) -> Iterator[_Server]:
    """The servers that ledgers tell of, as far as they still run."""
    for path, app in _ledgers(folder):
        try:
            written = leftover.read(path).entries
        except OSError:
            continue
        for one in written:
            entry = entries.get(one.process.pid)
            if entry is not None and entry.start == _number(one.process.start):
                yield _Server(one.process.pid, one.owner, app.pid, is_listed=True)


def _ledgers(folder: Path) -> Iterator[tuple[Path, Identity]]:
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return
    for path in paths:
        app = leftover.app_of(path)
        if app is not None and path.suffix == SUFFIX:
            yield path, app


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
