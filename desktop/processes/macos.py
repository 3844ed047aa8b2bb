"""The watcher: a process that ends the servers on macOS if the app cannot.

macOS has neither subreapers nor jobs. The app starts the servers itself (`posix`) and sends group
and marker of each to the watcher. When the app dies, the watcher's input ends, and the watcher
kills what is in those groups, what descends from them and what carries a marker in its environment,
until it finds nothing more. It ends with the last server.

Guarantees: a server, its group and everything that kept its environment end with the app, in
whatever session. Weaker than on Linux: a daemon that left its group, lost its parent and emptied
its environment is not found, nor is one of Apple's own programs, whose environment the system hides
(/bin/sh, /usr/bin/python3), once it has left group and parent.

Never run on a Mac. It runs on Linux under `tests/platforms`, which takes away what macOS lacks.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from desktop.base.paths import guardian_command
from desktop.processes.guardian_protocol import MARKER_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

if sys.platform == "win32":
    raise ImportError("this is not for Windows")

MAX_KILL_WAIT = 5.0
"""Seconds of killing after the app has gone."""
MAX_REAP_WAIT = 1.0
"""Seconds to wait for a watcher that had to be killed."""
PS = "/bin/ps"
_POLL = 0.02


class ListedProcess(NamedTuple):
    """A process as `ps` lists it; `words` are its arguments and its environment."""

    pid: int
    parent: int
    group: int
    words: frozenset[str]


def parse_ps(listing: str) -> list[ListedProcess]:
    """Parse the output of `ps -axEww -o pid=,ppid=,pgid=,command=`.

    A line that is no row is skipped: a variable with a line break goes on in the next line.
    """
    processes: list[ListedProcess] = []
    for line in listing.splitlines():
        numbers = line.split(None, 3)[:3]
        if len(numbers) == 3 and all(number.isdecimal() for number in numbers):
            pid, parent, group = map(int, numbers)
            processes.append(ListedProcess(pid, parent, group, frozenset(line.split()[3:])))
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
    command = [PS, "-axEww", "-o", "pid=,ppid=,pgid=,command="]
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
        self._watched: set[int] = set()
        self._ending: list[subprocess.Popen[bytes]] = []

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def watch(self, group: int, marker: str) -> None:
        """Have everything with this group or marker ended when the app dies.

        Raises:
            OSError: the watcher cannot be started or is gone.
        """
        if self._process is None or self._process.poll() is not None:
            from desktop.processes.process_tree import (
                guard_environment,
            )  # not for the watcher: it needs psutil

            self._hang_up()
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                guardian_command(),
                stdin=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
                env=guard_environment(),
            )
        self._send(f"{group} {marker}\n")
        self._watched.add(group)

    def forget(self, pid: int) -> None:
        """Stop watching a group that has ended, because its ID may be reused."""
        with contextlib.suppress(OSError):
            self._send(f"{pid}\n")
        self._watched.discard(pid)
        if not self._watched:
            self._hang_up()
            self._reap_later(_POLL)

    async def wait_idle(self, limit: float) -> None:
        """Wait at most `limit` seconds for watchers that have nothing left to watch."""
        for _ in self._poll_exit(limit):
            await asyncio.sleep(_POLL)

    def kill_all(self, limit: float) -> None:
        """Let the watcher kill everything now, and wait for it."""
        self._hang_up()
        for _ in self._poll_exit(limit):
            time.sleep(_POLL)

    def _hang_up(self) -> None:
        """Close the input of the watcher: what it still watches it ends, then itself."""
        process, self._process = self._process, None
        self._watched.clear()
        if process is not None and process.stdin is not None:
            process.stdin.close()
            self._ending.append(process)

    def _reap_later(self, delay: float) -> None:
        """Look again, at growing intervals: perhaps nobody waits for the exit."""
        if self._reap():
            with contextlib.suppress(RuntimeError):  # no loop: `kill_all` waits
                loop = asyncio.get_running_loop()
                loop.call_later(delay, self._reap_later, min(delay * 2, 1.0))

    def _poll_exit(self, limit: float) -> Iterator[None]:
        """Yield for each pause until all have exited, by themselves or killed."""
        deadline = time.monotonic() + limit
        while self._reap() and time.monotonic() < deadline:
            yield
        for process in self._ending:
            process.kill()
        deadline = time.monotonic() + MAX_REAP_WAIT
        while self._reap() and time.monotonic() < deadline:
            yield

    def _reap(self) -> bool:
        """Whether any watcher that should end still runs."""
        self._ending = [process for process in self._ending if process.poll() is None]
        return bool(self._ending)

    def _send(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(line.encode())
