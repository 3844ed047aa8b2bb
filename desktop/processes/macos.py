"""The watcher: a process that ends the servers on macOS if the app cannot.

macOS has neither subreapers nor jobs. The app starts the servers itself (`posix`) and sends group
and marker of each to the watcher. When the app dies, the watcher's input ends, and the watcher
kills what is in those groups, what descends from them and what carries a marker in its environment,
until it finds nothing more.

Guarantees: a server, its group and everything that kept its environment end with the app, in
whatever session. Weaker than on Linux: a daemon that left its group, lost its parent and emptied
its environment is not found, and without the watcher nothing is.

Written from the documentation and never run there: the decisions are in `select_victims`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.base.paths import guardian_command
from desktop.processes.guardian_protocol import MARKER_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

MAX_KILL_WAIT = 5.0
"""Seconds of killing after the app has gone."""
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class ListedProcess:
    """A process as `ps` lists it; `words` are its arguments and its environment."""

    pid: int
    parent: int
    group: int
    words: frozenset[str]


def parse_ps(listing: str) -> list[ListedProcess]:
    """Parse the output of `ps -axEww -o pid=,ppid=,pgid=,command=`."""
    processes: list[ListedProcess] = []
    for line in listing.splitlines():
        pid, parent, group, *words = line.split()
        processes.append(ListedProcess(int(pid), int(parent), int(group), frozenset(words)))
    return processes


def select_victims(
    processes: Collection[ListedProcess], watched: Mapping[int, str], spared: int
) -> set[int]:
    """The PIDs to kill: those with a group or marker in `watched`, and their descendants.

    Never `spared` or PID 1.
    """
    markers = {f"{MARKER_VARIABLE}={marker}" for marker in watched.values()}
    pids = {each.pid for each in processes if each.group in watched or each.words & markers}
    while below := {each.pid for each in processes if each.parent in pids} - pids:
        pids |= below
    return pids - {spared, 0, 1}


def update_watched(line: str, watched: dict[int, str]) -> None:
    """Apply a line from the app: `GROUP MARKER` adds a server, `GROUP` alone removes it."""
    group, _, marker = line.strip().partition(" ")
    if not group.isdecimal():
        return
    if marker:
        watched[int(group)] = marker
    else:
        watched.pop(int(group), None)


def kill_watched(
    watched: Mapping[int, str],
    list_processes: Callable[[], list[ListedProcess]],
    kill: Callable[[int], None],
    limit: float = MAX_KILL_WAIT,
) -> bool:
    """Kill what `select_victims` selects until that is nothing; whether it is within `limit`."""
    deadline = time.monotonic() + limit
    while watched and (victims := select_victims(list_processes(), watched, os.getpid())):
        if time.monotonic() > deadline:
            return False
        for pid in victims:
            kill(pid)
        time.sleep(_POLL)
    return True


def run() -> int:
    """Read from standard input what to watch until the app is gone; then kill what it left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    watched: dict[int, str] = {}
    rest = b""
    while data := os.read(0, 65536):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            update_watched(line.decode("ascii", "replace"), watched)
    return 0 if kill_watched(watched, _list_processes, _kill) else 1


def _list_processes() -> list[ListedProcess]:
    command = ["/bin/ps", "-axEww", "-o", "pid=,ppid=,pgid=,command="]
    done = subprocess.run(  # noqa: S603 - a fixed command
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=MAX_KILL_WAIT,
    )
    return parse_ps(done.stdout)


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


class Watcher:
    """The app's end: starts the watcher with the first server and sends it what to watch."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def watch(self, group: int, marker: str) -> None:
        """Have everything with this group or marker ended when the app dies.

        Raises:
            OSError: the watcher cannot be started or is gone.
        """
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                guardian_command(), stdin=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        self._send(f"{group} {marker}\n")

    def forget(self, pid: int) -> None:
        """Stop watching a group that has ended, because its ID may be reused."""
        with contextlib.suppress(OSError):
            self._send(f"{pid}\n")

    async def wait_idle(self, limit: float) -> None:
        """Do nothing: a cancelled start reaps its own process, and the watcher stays."""

    def kill_all(self, limit: float) -> None:
        """Let the watcher kill everything now, and wait for it."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(limit)

    def _send(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(line.encode())
