"""Identifies a process in a form that a later run of the app can compare.

On Linux: the PID, the kernel's start time (in ticks since boot, so changing the clock does not
matter), and the scope in which they hold: host, boot, PID namespace. Elsewhere: the PID and
psutil's creation time. Must not end anything.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from msgspec import Struct

from desktop.base.later_patterns import compile_later

_ENDED = "ZXx"
"""States in /proc of a process that has ended and waits to be reaped."""
_WRITTEN = compile_later(r"(\d{1,10})-([\w.]{1,40})")


class Identity(Struct, frozen=True):
    """One process, unmistakably: if its PID is reused, `start` differs."""

    pid: int
    start: str

    def __str__(self) -> str:
        return f"{self.pid}-{self.start}"


class PidScope(Struct, frozen=True):
    """Where PIDs and start times are valid. After a reboot they belong to other processes."""

    host: str
    boot: str
    namespace: str


def identify(pid: int) -> Identity | None:
    """The process that has this PID now; None if there is none, or only a zombie."""
    if sys.platform != "linux":
        return _identify_elsewhere(pid)
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name, in brackets, may contain anything; state (field 3) and the rest follow it.
    fields = stat[stat.rfind(b")") + 2 :].decode("ascii", "replace").split()
    if len(fields) < 20 or fields[0] in _ENDED:
        return None
    return Identity(pid, fields[19])


def parse_identity(text: str) -> Identity | None:
    """The process that was written as this text; None if it is none."""
    match = _WRITTEN.fullmatch(text)
    return Identity(int(match[1]), match[2]) if match is not None else None


def is_running(identity: Identity) -> bool:
    """Whether exactly this process still runs."""
    return identify(identity.pid) == identity


@cache
def current_scope() -> PidScope:
    """The scope of this process; a part that cannot be read is empty."""
    boot = _read("/proc/sys/kernel/random/boot_id")
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return PidScope(_host(), boot, namespace)


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
