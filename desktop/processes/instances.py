"""All running instances of the app on this machine, seen from outside, and what dead ones left.

They are known from the ledgers in a data folder and from the environment of servers (Linux). Both
are hints that may be outdated or edited, so each is checked against what runs. Ends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
from msgspec import Struct

from desktop.processes import process_tree
from desktop.processes.ledger import MAX_OWNER_LENGTH, SUFFIX, parse_ledger_name, read_ledger
from desktop.processes.process_table import TableEntry, assign_owners, read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from desktop.processes.identity import Identity


class OwnedProcess(Struct, frozen=True):
    """A process of the server `owner`, or of the app itself if `owner` is empty."""

    owner: str
    process: psutil.Process
    entry: TableEntry


class AppInstance(Struct, frozen=True):
    """The processes of one run of the app. `app` is None if it has ended and left them behind.

    `is_listed`: a ledger of the data folder lists it.
    """

    pid: int
    app: psutil.Process | None
    processes: tuple[OwnedProcess, ...]
    is_listed: bool


class _Server(Struct):
    """A process that was started for a server; `app` is the PID of the app that started it."""

    pid: int
    owner: str
    app: int


def find_instances(ledgers: Path) -> tuple[AppInstance, ...]:
    """All instances of this user, ordered by PID; `ledgers` is the folder that one of them uses."""
    # Zombies have ended: they hold nothing but a PID until their parent reaps them.
    table = read_table().items()
    entries = {pid: entry for pid, entry in table if entry.state != psutil.STATUS_ZOMBIE}
    listed = dict(_listed_apps(ledgers, entries))
    servers = {server.pid: server for server in _marked_servers(entries)}
    servers |= {server.pid: server for server in _listed_servers(ledgers, entries)}
    apps = sorted(
        {server.app for server in servers.values()}
        | {pid for pid, is_running in listed.items() if is_running}
    )
    return tuple(
        _instance(
            app, [server for server in servers.values() if server.app == app], listed, entries
        )
        for app in apps
    )


def _instance(
    pid: int,
    servers: list[_Server],
    listed: Mapping[int, bool],
    entries: Mapping[int, TableEntry],
) -> AppInstance:
    """Args: listed: the apps with a ledger, and whether each still runs."""
    is_running = listed[pid] if pid in listed else _is_older(pid, servers, entries)
    roots = {server.pid: str(server.pid) for server in servers}
    members = assign_owners(entries, roots, pid if is_running else None, lambda _: "")
    owners = {server.pid: server.owner for server in servers}
    owned = tuple(
        OwnedProcess(owners.get(root, ""), process, entries[member])
        for root in ([pid] if is_running else []) + list(roots)
        for member in members[root]
        if (process := process_tree.find(member)) is not None
    )
    return AppInstance(pid, process_tree.find(pid) if is_running else None, owned, pid in listed)


def _is_older(pid: int, servers: Iterable[_Server], entries: Mapping[int, TableEntry]) -> bool:
    """Whether this process can have started the servers; a younger one only reused the PID."""
    app = entries.get(pid)
    return app is not None and all(app.start <= entries[server.pid].start for server in servers)


def _marked_servers(entries: Mapping[int, TableEntry]) -> Iterator[_Server]:
    """The topmost processes that carry the app's variable in their environment."""
    marks = {pid: mark for pid in entries if (mark := process_tree.read_server(pid)) is not None}
    for pid, mark in marks.items():
        if marks.get(entries[pid].parent) != mark:
            yield _Server(pid, mark[1][:MAX_OWNER_LENGTH], mark[0])


def _listed_apps(folder: Path, entries: Mapping[int, TableEntry]) -> Iterator[tuple[int, bool]]:
    for _, app in _find_ledgers(folder):
        entry = entries.get(app.pid)
        yield app.pid, entry is not None and entry.start == _parse_start(app.start)


def _listed_servers(folder: Path, entries: Mapping[int, TableEntry]) -> Iterator[_Server]:
    """The servers in the ledgers that still run."""
    for path, app in _find_ledgers(folder):
        try:
            listed = read_ledger(path).entries
        except OSError:
            continue
        for server in listed:
            process = server.process
            entry = entries.get(process.pid) if process is not None else None
            if process and entry is not None and entry.start == _parse_start(process.start):
                yield _Server(process.pid, server.owner, app.pid)


def _find_ledgers(folder: Path) -> Iterator[tuple[Path, Identity]]:
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return
    for path in paths:
        app = parse_ledger_name(path)
        if app is not None and path.suffix == SUFFIX:
            yield path, app


def _parse_start(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
