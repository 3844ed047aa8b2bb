"""Finds and ends the processes of one server: descendants, group, carriers of its marker or tag.

A process is a `psutil.Process`, which holds PID and creation time. psutil compares both before it
sends a signal, so a process that has reused the PID is never hit. An app that cannot open any more
files sees less, but still has to end its servers: nothing here raises for that.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import TYPE_CHECKING

import psutil

from desktop.processes import guardian_protocol as protocol
from desktop.processes.identity import identify, parse_identity

if TYPE_CHECKING:
    import signal
    from collections.abc import Collection, Iterable, Iterator

    from desktop.processes.identity import Identity

MARKER_VARIABLE = protocol.MARKER_VARIABLE
"""Environment variable that a server and its descendants inherit; its value is unique."""
SERVER_VARIABLE = "MCP_DESKTOP_SERVER"
"""Environment variable with the app's identity and the server's name, for other runs of the app.

That of guardian and keeper has no name.
"""

_LOADER_VARIABLES = ("LD_LIBRARY_PATH",)
_MIN_PAUSE, _MAX_PAUSE = 0.002, 0.02
"""Seconds between two looks: short at first, because most processes end at once."""


def server_environment(owner: str, marker: str) -> dict[str, str]:
    """The variables by which the processes of the server `owner` can be found later."""
    return {MARKER_VARIABLE: marker, SERVER_VARIABLE: f"{_own_app()} {json.dumps(owner)}"}


def guard_environment() -> dict[str, str]:
    """The whole environment of guardian and keeper: any server can read that of its parent.

    Whose they are is in it, and where the system finds the libraries of an interpreter.
    """
    needed = {name: os.environ[name] for name in _LOADER_VARIABLES if name in os.environ}
    return {**needed, SERVER_VARIABLE: _own_app()}


def _own_app() -> str:
    return str(identify(os.getpid()) or os.getpid())


# --- finding ----------------------------------------------------------------------------------


def find(pid: int) -> psutil.Process | None:
    """The process that has this PID now, or None."""
    try:
        return psutil.Process(pid)
    except (psutil.Error, OSError):
        return None


def find_all(pids: Iterable[int]) -> list[psutil.Process]:
    """The processes that have these PIDs now, without the ones that are gone."""
    processes = (find(pid) for pid in pids)
    return [process for process in processes if process is not None]


def is_alive(process: psutil.Process) -> bool:
    """Whether exactly this process still runs. A zombie does not: it only waits to be reaped."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
    except OSError:
        return _is_pid_used(process.pid)


def descendants(pid: int) -> list[psutil.Process]:
    """Children, their children and so on; not those of a parent that died."""
    if sys.platform == "linux":
        return find_all(_linux_descendants(pid))
    root = find(pid)
    try:
        return root.children(recursive=True) if root is not None else []
    except psutil.Error:
        return []


def adopted(keeper: int, marker: str, servers: Collection[int]) -> list[psutil.Process]:
    """What a keeper has adopted of the server with `marker`, and all below it (Linux).

    Args:
        keeper: PID of the parent of all servers.
        marker: in the environment of what that server has started, or in its tag.
        servers: PIDs of the servers, which it has not adopted.
    """
    tag = protocol.tag_for(marker)
    others = (pid for pid in protocol.children(keeper) if pid not in servers)
    roots = [pid for pid in others if read_marker(pid) == marker or protocol.read_tag(pid) == tag]
    return find_all([*roots, *(below for root in roots for below in _linux_descendants(root))])


def group_members(group: int) -> list[psutil.Process]:
    """The members of a process group. Once its leader is reaped, the ID may be another group's."""
    if sys.platform == "win32":
        return []
    try:
        pids = psutil.pids()
    except OSError:
        return []
    return find_all([pid for pid in pids if _group(pid) == group])


def led_group(pid: int) -> int:
    """The process group that `pid` leads and this process is not a member of, or 0.

    A shell puts a whole pipeline into one group: its leader may share it with this process.
    """
    if sys.platform == "win32":
        return 0
    try:
        return pid if os.getpgid(pid) == pid != os.getpgrp() else 0
    except OSError:
        return 0


def own_ancestry() -> set[int]:
    """The PIDs of this process and of its ancestors, which must never be ended."""
    own = find(os.getpid())
    try:
        ancestors = own.parents() if own is not None else []
    except psutil.Error:
        ancestors = []
    return {os.getpid(), *(process.pid for process in ancestors)}


class MarkerScan:
    """One look at all processes, by the marker in their environment and by their tag.

    It finds what has left its group and lost its parent; by the tag, which only Linux has, also
    what has emptied its environment. On Windows it finds nothing: there a job does that.
    """

    def __init__(self) -> None:
        self._by_marker: dict[str, list[psutil.Process]] = {}
        self._by_tag: dict[int, list[psutil.Process]] = {}
        for pid in protocol.list_pids():
            marker, tag = read_marker(pid), protocol.read_tag(pid)
            if not marker and tag is None:
                continue
            if (process := find(pid)) is not None:
                if marker:
                    self._by_marker.setdefault(marker, []).append(process)
                if tag is not None:
                    self._by_tag.setdefault(tag, []).append(process)

    def find(self, marker: str) -> list[psutil.Process]:
        """The processes that carry `marker` or its tag, each once."""
        tagged = self._by_tag.get(protocol.tag_for(marker), [])
        return list(dict.fromkeys([*self._by_marker.get(marker, []), *tagged]))


def read_marker(pid: int) -> str:
    """The marker in the environment of a process; empty without one."""
    return _read_variable(pid, MARKER_VARIABLE)


def read_server(pid: int) -> tuple[int, str] | None:
    """The app's PID and the server's name that a process has in its environment."""
    whole, _, name = _read_variable(pid, SERVER_VARIABLE).partition(" ")
    app = whole.partition("-")[0]
    try:
        return (int(app), str(json.loads(name))) if app.isdigit() else None
    except ValueError:
        return None


def is_guard(pid: int) -> bool:
    """Whether a process has the environment of guardian and keeper."""
    return read_app(pid) is not None and read_server(pid) is None


def find_of_apps(apps: Collection[Identity]) -> Iterator[tuple[psutil.Process, str]]:
    """All processes that were started for these apps, and for which server of theirs."""
    for pid in protocol.list_pids():
        if read_app(pid) in apps and (process := find(pid)) is not None:
            yield process, (read_server(pid) or (0, ""))[1]


def read_app(pid: int) -> Identity | None:
    """The app that a process was started for, by its environment."""
    return parse_identity(_read_variable(pid, SERVER_VARIABLE).partition(" ")[0])


# --- ending -----------------------------------------------------------------------------------


def send(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to each process that is still the same; skips the others."""
    for process in processes:
        try:
            process.send_signal(number)
        except (psutil.Error, OSError):
            continue


def kill(processes: Iterable[psutil.Process]) -> None:
    """Kill each process at once, without a chance to clean up."""
    for process in processes:
        try:
            process.kill()
        except (psutil.Error, OSError):
            continue


def kill_tree(process: psutil.Process) -> None:
    """Kill a process and everything below it at once, if it is still the same process."""
    if not is_alive(process):
        return
    # Collected first: after the kill they have another parent.
    below = descendants(process.pid)
    kill([process, *below])


async def wait_gone(processes: Collection[psutil.Process], limit: float) -> bool:
    """Wait at most `limit` seconds until all have ended; whether they have."""
    for pause in _pauses(processes, limit):
        await asyncio.sleep(pause)
    return not any(is_alive(process) for process in processes)


def wait_gone_blocking(processes: Collection[psutil.Process], limit: float) -> None:
    """Wait the same without an event loop."""
    for pause in _pauses(processes, limit):
        time.sleep(pause)


def _pauses(processes: Collection[psutil.Process], limit: float) -> Iterator[float]:
    """Pauses to make while any runs: no event reports the end of a process that is no child."""
    deadline = time.monotonic() + limit
    pause = _MIN_PAUSE
    while any(is_alive(process) for process in processes) and time.monotonic() < deadline:
        yield pause
        pause = min(2 * pause, _MAX_PAUSE)


# --- the operating system ---------------------------------------------------------------------


def _is_pid_used(pid: int) -> bool:
    """Whether any process has this PID, determined without opening a file."""
    if sys.platform == "win32":  # signal 0 does not exist there
        return True
    try:
        os.kill(pid, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True


def _linux_descendants(pid: int) -> list[int]:
    """Reads the kernel's own lists of children; psutil would read every process of the system."""
    pids: list[int] = []
    waiting = [pid]
    while waiting:
        children = protocol.children(waiting.pop())
        pids += children
        waiting += children
    return pids


def _read_variable(pid: int, name: str) -> str:
    return protocol.read_variable(pid, name.encode()).decode("ascii", "replace")


def _group(pid: int) -> int:
    if sys.platform == "win32":
        return -1
    try:
        return os.getpgid(pid)
    except OSError:
        return -1
