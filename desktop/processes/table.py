"""One look at all processes of the system: who started whom, and what each one takes.

On Linux one short read a process: psutil would need three, and four times as long for all of them.
Keeps nothing between looks and decides nothing about what it sees.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import NamedTuple

import psutil

_STATES = {
    b"R": psutil.STATUS_RUNNING,
    b"S": psutil.STATUS_SLEEPING,
    b"D": psutil.STATUS_DISK_SLEEP,
    b"Z": psutil.STATUS_ZOMBIE,
    b"X": psutil.STATUS_DEAD,
    b"T": psutil.STATUS_STOPPED,
    b"t": psutil.STATUS_TRACING_STOP,
    b"I": psutil.STATUS_IDLE,
}


class Entry(NamedTuple):
    """One process as the system lists it.

    `start` tells two processes of the same PID apart and is comparable with nothing else. `name`
    changes when it becomes another program. `seconds` is the CPU time, `memory` the resident
    bytes, those it shares with others included. Without POSIX, group and session are 0.
    """

    pid: int
    parent: int
    group: int
    session: int
    name: str
    state: str
    seconds: float
    memory: int
    start: float


def read_table() -> dict[int, Entry]:
    """All processes by PID; those that end meanwhile are left out."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit()) if _HAS_PROC else None
    entries = map(read_entry, pids if pids is not None else psutil.pids())
    return {entry.pid: entry for entry in entries if entry is not None}


def read_entry(pid: int) -> Entry | None:
    """The process that has this PID now, or None."""
    return _read_proc(pid) if _HAS_PROC else _read_psutil(pid)


_HAS_PROC = sys.platform == "linux"


@cache
def _units() -> tuple[float, int]:
    """Seconds of a tick and bytes of a page."""
    return 1 / os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


def _read_proc(pid: int) -> Entry | None:
    """Of `/proc/PID/stat`, see proc(5); the name may hold spaces and brackets itself."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        line = os.read(descriptor, 1024)
    except OSError:  # it ended in between
        return None
    finally:
        os.close(descriptor)
    end = line.rindex(b")")
    fields = line[end + 2 :].split(None, 22)
    tick, page = _units()
    return Entry(
        pid=pid,
        parent=int(fields[1]),
        group=int(fields[2]),
        session=int(fields[3]),
        name=line[line.index(b"(") + 1 : end].decode("utf-8", "replace"),
        state=_STATES.get(fields[0], "unknown"),
        seconds=(int(fields[11]) + int(fields[12])) * tick,
        memory=int(fields[21]) * page,
        start=float(fields[19]),
    )


def _read_psutil(pid: int) -> Entry | None:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            return Entry(
                pid=pid,
                parent=process.ppid(),
                group=_posix_id("getpgid", pid),
                session=_posix_id("getsid", pid),
                name=process.name(),
                state=process.status(),
                seconds=_seconds(process),
                memory=_memory(process),
                start=process.create_time(),
            )
    except psutil.Error:
        return None


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.AccessDenied:  # of another user: not ours, but perhaps between two that are
        return 0.0
    return times.user + times.system


def _memory(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.AccessDenied:
        return 0


def _posix_id(function: str, pid: int) -> int:
    ask = getattr(os, function, None)
    if ask is None:
        return 0
    try:
        return ask(pid)
    except OSError:
        return 0
