"""macOS: a watcher that ends the servers when the app cannot. It has no subreaper and no job.

The app starts the servers itself (`posix`) and tells the watcher, a second process on `main`, the
group and the marker of each. When the app dies the watcher's input ends, and it kills what is in
those groups, what descends from them and what carries a marker in its environment, again until
nothing is found. Guarantees: a server, its group, and all that kept its
environment, end with the app, whatever session they made. Weaker than Linux: a daemon that left the
group, lost its parent and emptied its environment is not found; nor is what a killed watcher would
have found. Written from the documentation and not run there: decisions are in `doomed`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.paths import guardian_command
from desktop.processes.order import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

LIMIT = 5.0
"""Seconds in which all is killed once the app is gone."""
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """A process as `ps` lists it; `words` are its arguments and its environment."""

    pid: int
    parent: int
    group: int
    words: frozenset[str]


def read_rows(listing: str) -> list[Row]:
    """The lines of `ps -axEww -o pid=,ppid=,pgid=,command=`."""
    rows: list[Row] = []
    for line in listing.splitlines():
        pid, parent, group, *words = line.split()
        rows.append(Row(int(pid), int(parent), int(group), frozenset(words)))
    return rows


def doomed(rows: Collection[Row], watched: Mapping[int, str], spared: int) -> set[int]:
    """Whom to kill: the groups and markers `watched`, and all below; never `spared` nor PID 1."""
    markers = {f"{MARKER}={marker}" for marker in watched.values()}
    found = {row.pid for row in rows if row.group in watched or row.words & markers}
    while below := {row.pid for row in rows if row.parent in found} - found:
        found |= below
    return found - {spared, 0, 1}


def follow(line: str, watched: dict[int, str]) -> None:
    """Take in a line of the app: `GROUP MARKER` to watch, `GROUP` alone when it is done with."""
    group, _, marker = line.strip().partition(" ")
    if not group.isdecimal():
        return
    if marker:
        watched[int(group)] = marker
    else:
        watched.pop(int(group), None)


def end(
    watched: Mapping[int, str],
    look: Callable[[], list[Row]],
    kill: Callable[[int], None],
    limit: float = LIMIT,
) -> bool:
    """Kill whom `doomed` names until there is nobody; whether that came to be."""
    deadline = time.monotonic() + limit
    while watched and (left := doomed(look(), watched, os.getpid())):
        if time.monotonic() > deadline:
            return False
        for pid in left:
            kill(pid)
        time.sleep(_POLL)
    return True


def run() -> int:
    """The watcher: follow the app on standard input, and end what it leaves."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    watched: dict[int, str] = {}
    rest = b""
    while data := os.read(0, 65536):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            follow(line.decode("ascii", "replace"), watched)
    return 0 if end(watched, _look, _kill) else 1


def _look() -> list[Row]:
    command = ["/bin/ps", "-axEww", "-o", "pid=,ppid=,pgid=,command="]
    done = subprocess.run(  # noqa: S603 - fixed, by its path
        command, capture_output=True, text=True, errors="replace", check=False, timeout=LIMIT
    )
    return read_rows(done.stdout)


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


class Watcher:
    """The app's end: starts the watcher with the first server and tells it of each."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def watch(self, group: int, marker: str) -> None:
        """Have a server's group and marker ended when the app dies.

        Raises:
            OSError: the watcher cannot be started or is gone.
        """
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                guardian_command(), stdin=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        self._tell(f"{group} {marker}\n")

    def forget(self, pid: int) -> None:
        """The server and all of it has ended: its group's number may be given to others."""
        with contextlib.suppress(OSError):
            self._tell(f"{pid}\n")

    async def settle(self, limit: float) -> None:
        """Nothing: a cancelled start reaps its own process, and the watcher stays to the end."""

    def end(self, limit: float) -> None:
        """Let the watcher do its work now, and wait for it."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(limit)

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(line.encode())
