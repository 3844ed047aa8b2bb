"""Who a process is, in a form that can be written down and compared by a later run of the app.

On Linux the PID, the kernel's own start time (ticks since boot: no change of the clock moves it)
and where this holds: host, boot, PID namespace. Elsewhere the PID and psutil's time of creation.
Only looks; ends nothing.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_ENDED = "ZXx"
"""States in /proc of what ended and only waits to be reaped."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A process for good: its PID may be given to another one, `start` then differs."""

    pid: int
    start: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where PIDs and start times mean something. Another boot of this host has other processes."""

    host: str
    boot: str
    namespace: str


def identify(pid: int) -> Identity | None:
    """The process that has this PID now; None if there is none, or it ended and is not reaped."""
    if sys.platform != "linux":
        return _identify_elsewhere(pid)
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name, in brackets, may hold anything; after it come state (field 3) and the rest.
    fields = stat[stat.rfind(b")") + 2 :].decode("ascii", "replace").split()
    if len(fields) < 20 or fields[0] in _ENDED:
        return None
    return Identity(pid, fields[19])


def is_running(identity: Identity) -> bool:
    """Whether this very process still runs."""
    return identify(identity.pid) == identity


@cache
def this_place() -> Place:
    """The place of this process; what cannot be read stays empty."""
    boot = _read("/proc/sys/kernel/random/boot_id")
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return Place(_host(), boot, namespace)


def _host() -> str:
    return os.uname().nodename if sys.platform != "win32" else os.environ.get("COMPUTERNAME", "")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def _identify_elsewhere(pid: int) -> Identity | None:
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return Identity(pid, repr(process.create_time()))
    except (psutil.Error, ValueError, OverflowError):
        return None
