"""What the guardian's program asks of the Linux kernel: orphans come to it, and it ends a tree.

A subreaper (prctl(2)) becomes the parent of every descendant whose own parent died, however that
one was forked, whatever its session and environment: who waits until a subreaper has no child has
waited for all of them. Imports next to nothing, see `order`. Must not know what runs below it.
"""

from __future__ import annotations

import ctypes
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # without the enumerations around it, which take 4 ms to import

_SET_DEATH_SIGNAL, _SET_NAME, _SET_SUBREAPER = 1, 15, 36
_POLL = 0.001

_libc = ctypes.CDLL(None, use_errno=True)


def adopt_orphans(name: bytes) -> None:
    """Become a subreaper, called `name` where processes are listed."""
    _libc.prctl(_SET_NAME, name, 0, 0, 0)
    if _libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no subreaper")


def die_with(parent: int) -> None:
    """Have this process killed when `parent`, which has just forked it, dies."""
    _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def children(pid: int) -> list[int]:
    """The children of a process, those of each of its threads; zombies are among them."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        return found
    return found


def reap(pids: list[int]) -> set[int]:
    """Reap those of these children that have ended; returns them."""
    reaped: set[int] = set()
    for pid in pids:
        try:
            reaped.add(os.waitpid(pid, os.WNOHANG)[0])
        except ChildProcessError:
            continue
    return reaped - {0}


def end_below(limit: float) -> bool:
    """Kill and reap all descendants; whether none is left.

    Looks again until there is none: what is forked while one looks comes to this process.
    """
    deadline = time.monotonic() + limit
    while _has_child():
        if time.monotonic() > deadline:
            return False
        kill_trees(children(os.getpid()))
        time.sleep(_POLL)
    return True


def _has_child() -> bool:
    """Whether there is any, after reaping; a list read while children end may lack some."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_trees(pids: list[int]) -> None:
    """Stop each process before its children are looked up, then kill them all.

    A stopped process forks nothing, which is how a fork bomb is caught, and reaps nobody: so the
    PIDs below it cannot meanwhile be given to strangers.
    """
    found = list(pids)
    for pid in found:  # grows
        _send(pid, signal.SIGSTOP)
        found += children(pid)
    for pid in found:
        _send(pid, signal.SIGKILL)


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:  # gone, or another user's
        return
