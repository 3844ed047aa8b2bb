"""Finds and ends the processes of one server: its group, its descendants, who carries its marker.

A process is a `psutil.Process`: it holds PID and creation time, and psutil compares both before it
signals, so a reused PID is never touched. Asks the operating system. An app that
can open no more files sees less, and still has to end its servers: nothing here raises for that.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from desktop.processes import order, tag

if TYPE_CHECKING:
    import signal
    from collections.abc import Collection, Iterable, Iterator

_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.02
"""Seconds between two looks: most processes have ended after the first."""
MARKER = order.MARKER
"""Environment variable that a server and its descendants inherit; its value is unique."""
SERVER = "MCP_DESKTOP_SERVER"
"""Environment variable beside it: the PID of the app and the server's name, for other processes."""


def marks(owner: str, marker: str) -> dict[str, str]:
    """What the server `owner` gets into its environment, so that its processes can be found."""
    return {MARKER: marker, SERVER: f"{os.getpid()} {json.dumps(owner)}"}


def find(pid: int) -> psutil.Process | None:
    """The process that has this PID now, or None."""
    try:
        return psutil.Process(pid)
    except (psutil.Error, OSError):
        return None


def is_there(process: psutil.Process) -> bool:
    """Whether it is still the process it was, a zombie maybe."""
    try:
        return process.is_running()
    except psutil.Error:
        return False
    except OSError:
        return _is_taken(process.pid)


def is_alive(process: psutil.Process) -> bool:
    """Whether it still runs. A zombie does not: it only waits to be reaped."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
    except OSError:
        return _is_taken(process.pid)


def descendants(pid: int) -> list[psutil.Process]:
    """Children, their children and so on; those whose parent already died are not among them."""
    if sys.platform == "linux":
        return _existing(_linux_descendants(pid))
    root = find(pid)
    try:
        return root.children(recursive=True) if root is not None else []
    except psutil.Error:
        return []


def by_marker() -> dict[str, list[psutil.Process]]:
    """All processes of this user that carry a marker in their environment (Linux; elsewhere empty).

    It finds what left the group and lost its parent. What emptied its environment it cannot find.
    """
    found: dict[str, list[psutil.Process]] = {}
    if sys.platform != "linux":
        return found
    for pid in tag.all_pids():
        marker = marker_of(pid)
        if marker and (process := find(pid)) is not None:
            found.setdefault(marker, []).append(process)
    return found


def by_tag() -> dict[int, list[psutil.Process]]:
    """All processes that carry a tag: of those that emptied their environment, too (Linux)."""
    found: dict[int, list[psutil.Process]] = {}
    for pid in tag.all_pids():
        number = tag.read(pid)
        if number is not None and (process := find(pid)) is not None:
            found.setdefault(number, []).append(process)
    return found


class Marked:
    """One look at all processes, for who carries a marker in its environment, or its tag."""

    def __init__(self) -> None:
        self._by_marker, self._by_tag = by_marker(), by_tag()

    def of(self, marker: str) -> list[psutil.Process]:
        tagged = self._by_tag.get(tag.tag_of(marker), [])
        return list(dict.fromkeys([*self._by_marker.get(marker, []), *tagged]))


def in_group(group: int) -> list[psutil.Process]:
    """Members of a process group, for as long as its leader is not reaped (then the ID is free)."""
    if sys.platform == "win32":
        return []
    try:
        pids = psutil.pids()
    except OSError:
        return []
    return _existing([pid for pid in pids if _group(pid) == group])


def led_group(pid: int) -> int:
    """The process group that `pid` leads and this process is not in, or 0.

    A shell puts a whole pipeline into one group, whose leader may share it with this process.
    """
    if sys.platform == "win32":
        return 0
    try:
        return pid if os.getpgid(pid) == pid != os.getpgrp() else 0
    except OSError:
        return 0


def own_line() -> set[int]:
    """The PIDs of this process and of those above it."""
    own = find(os.getpid())
    try:
        above = own.parents() if own is not None else []
    except psutil.Error:
        above = []
    return {os.getpid(), *(process.pid for process in above)}


def send(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Signal each one that still is the process it was; the gone are skipped."""
    for process in processes:
        try:
            process.send_signal(number)
        except (psutil.Error, OSError):
            continue


def kill(processes: Iterable[psutil.Process]) -> None:
    """End each one at once, without a chance to clean up."""
    for process in processes:
        try:
            process.kill()
        except (psutil.Error, OSError):
            continue


async def gone(processes: Collection[psutil.Process], limit: float) -> bool:
    """Wait `limit` seconds at most until all have ended; whether they have."""
    for pause in _pauses(processes, limit):
        await asyncio.sleep(pause)
    return not any(is_alive(process) for process in processes)


def wait_gone(processes: Collection[psutil.Process], limit: float) -> bool:
    """The same without a loop."""
    for pause in _pauses(processes, limit):
        time.sleep(pause)
    return not any(is_alive(process) for process in processes)


def _pauses(processes: Collection[psutil.Process], limit: float) -> Iterator[float]:
    """The pauses to make while one runs: no event tells of the end of a process not our child."""
    deadline = time.monotonic() + limit
    pause = _FIRST_PAUSE
    while any(is_alive(process) for process in processes) and time.monotonic() < deadline:
        yield pause
        pause = min(2 * pause, _LONGEST_PAUSE)


def _existing(pids: Iterable[int]) -> list[psutil.Process]:
    found = (find(pid) for pid in pids)
    return [process for process in found if process is not None]


def _is_taken(pid: int) -> bool:
    """Whether there is any process of this number, found out without a file."""
    if sys.platform == "win32":  # where the signal 0 is none
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _linux_descendants(pid: int) -> list[int]:
    """Reads the kernel's own lists of children: psutil would read every process there is."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    folder = Path(f"/proc/{pid}/task")
    try:
        lists = [(thread / "children").read_text(encoding="ascii") for thread in folder.iterdir()]
    except OSError:
        return []
    return [int(child) for text in lists for child in text.split()]


def marker_of(pid: int) -> str:
    """The marker in the environment of a process, empty where there is none (or not on Linux)."""
    return _variable(pid, MARKER)


def server_of(pid: int) -> tuple[int, str] | None:
    """PID of the app and name of the server that a process says it belongs to (Linux)."""
    app, _, name = _variable(pid, SERVER).partition(" ")
    try:
        return (int(app), str(json.loads(name))) if app.isdigit() else None
    except ValueError:
        return None


def _variable(pid: int, name: str) -> str:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return ""
    _, found, rest = (b"\0" + environment).partition(f"\0{name}=".encode())
    return rest.split(b"\0", 1)[0].decode("ascii", "replace") if found else ""


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return -1
