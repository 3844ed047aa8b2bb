"""What guardian and keeper have in common: adopting processes, noticing their end, killing them.

Imports next to nothing: both have to start within milliseconds. Must not know who starts what.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time

from desktop.processes import guardian_protocol as protocol

if sys.platform != "linux":
    raise ImportError("this is for Linux")

IGNORED_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ")
"""Meant for the app, which then closes its servers in order, or ignored by any Python."""
MAX_KILL_WAIT = 5.0
"""Seconds of killing everything below; what still runs then cannot be killed."""
POLL = 0.001
"""Seconds between two looks at what was killed."""

_SET_DEATH_SIGNAL, _SET_NAME, _SET_SUBREAPER = 1, 15, 36  # linux/prctl.h
_prctl = ctypes.CDLL(None).prctl
"""Looked up once, without errno, and called with no more than it needs: what a fork writes to
before it executes a server is copied by the page, and this was a fifth."""


def ignore_signals() -> None:
    """Do nothing at these signals, and nothing but wake up when a child ends.

    By a handler: executing a server gives back the default to what had one, but not to what was
    ignored; and Python writes to the wake-up descriptor only if a signal has a handler.
    """
    for name in (*IGNORED_SIGNALS, "SIGCHLD"):
        signal.signal(getattr(signal, name), _do_nothing)


def _do_nothing(number: int, frame: object) -> None:
    pass


def watch_children() -> int:
    """Returns a descriptor that is readable after a child ended. Call it again after a fork.

    Needs `ignore_signals`, once.
    """
    reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def drain(reader: int) -> None:
    try:
        while os.read(reader, 4096):
            pass
    except BlockingIOError:
        return


def adopt_orphans(name: bytes) -> None:
    """Become a subreaper, shown as `name` in process lists.

    A subreaper (prctl(2)) becomes the parent of every descendant whose own parent died, whatever
    its session and environment: waiting until it has no child is waiting for all descendants.
    """
    _prctl(_SET_NAME, name)
    if _prctl(_SET_SUBREAPER, 1) != 0:
        raise OSError("this kernel has no subreapers")


def die_with(parent: int) -> None:
    """Have the kernel kill this process when `parent`, which has just forked it, dies."""
    _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the call
        os._exit(1)


def hear_of_end(number: int) -> None:
    """Have the kernel send this process a signal when its parent dies."""
    _prctl(_SET_DEATH_SIGNAL, number)


def wake(pid: int) -> None:
    """Let a process go on that may have been stopped."""
    _send(pid, signal.SIGCONT)


def reap(pid: int) -> bool:
    """Whether a child has ended, by now or before; it is reaped then. Does not wait."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:  # it was reaped before
        return True


def kill_descendants(limit: float) -> None:
    """Kill and reap all descendants for at most `limit` seconds.

    Looks again until there is none: whatever is forked meanwhile is reparented to this process.
    """
    deadline = time.monotonic() + limit
    while _has_child() and time.monotonic() < deadline:
        kill_trees(protocol.children(os.getpid()))
        time.sleep(POLL)


def _has_child() -> bool:
    """Reap, then ask the kernel: a list that is read while children end may miss some."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_trees(pids: list[int]) -> None:
    """Stop each process before looking up its children, then kill all of them.

    A stopped process cannot fork, so a fork bomb is caught. It cannot reap either, so the PIDs
    below it cannot be reused by strangers before the signal arrives.
    """
    tree = list(pids)
    for pid in tree:  # grows while it is iterated
        _send(pid, signal.SIGSTOP)
        tree += protocol.children(pid)
    for pid in tree:
        _send(pid, signal.SIGKILL)


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:  # gone, or another user's
        return
