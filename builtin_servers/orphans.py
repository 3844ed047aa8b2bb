"""Ends what the commands of this process left behind, whatever session and environment it has.

Linux hands a process whose parent has ended to the nearest subreaper (prctl(2)), so everything that
a command started is found below this process. Which of several running commands an orphan comes
from, only its time of birth tells: it is ended as soon as no running command can have started it.
Must be used only where this process belongs to the commands alone. Elsewhere than on Linux it does
nothing.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from threading import Lock
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import Popen

_SET_SUBREAPER = 36  # linux/prctl.h
_MAX_SECONDS = 1.0
"""Of killing at the end of one command; a fork bomb that still runs ends with the server."""
_PAUSE = 0.005
_START_FIELD = 19
"""Of /proc/PID/stat, counted behind the name: ticks since the machine was started (proc(5))."""


class Orphans:
    """The orphans of all commands of this process; commands may run side by side."""

    def __init__(self) -> None:
        self._adopts = False
        self._lock = Lock()
        self._began: dict[int, float] = {}
        """When each running command was started, in ticks, by its PID."""

    def adopt(self) -> None:
        """Have all orphans handed to this process from now on."""
        if sys.platform != "linux":
            return
        import ctypes

        self._adopts = ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0) == 0

    def start(self, start: Callable[[], Popen[bytes]]) -> Popen[bytes]:
        """Start a command with `start`; the caller waits for it, then calls `end`."""
        with self._lock:  # what is started here must not be taken for an orphan
            began = _ticks_now()
            process = start()
            self._began[process.pid] = began
        return process

    def end(self, pid: int) -> None:
        """The command has ended: so does what it left."""
        with self._lock:
            del self._began[pid]
            if self._adopts:
                self._end()

    def _end(self) -> None:
        deadline = monotonic() + _MAX_SECONDS
        while (found := self._find()) and monotonic() < deadline:
            _kill_trees(found)
            for pid in found:
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            sleep(_PAUSE)

    def _find(self) -> list[int]:
        """The orphans that no running command can have started."""
        oldest = min(self._began.values(), default=float("inf"))
        orphans = [pid for pid in _children(os.getpid()) if pid not in self._began]
        return [pid for pid in orphans if _start_of(pid) < oldest]


def _ticks_now() -> float:
    """The present as processes are stamped with it; a tick early, as stamps are rounded down."""
    if sys.platform != "linux":
        return 0
    import time

    return time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") - 1


def _start_of(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[_START_FIELD])
    except (OSError, ValueError, IndexError):
        return float("-inf")


def _children(pid: int) -> list[int]:
    """The children of all threads of a process, zombies included."""
    pids: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                pids += map(int, file.read().split())
    return pids


def _kill_trees(pids: list[int]) -> None:
    """Stop each before its children are looked up, then kill all: what is stopped cannot fork."""
    tree = list(pids)
    for pid in tree:  # grows while it is iterated
        with suppress(OSError):
            os.kill(pid, signal.SIGSTOP)
        tree += _children(pid)
    for pid in tree:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
