"""A mark that a process cannot shed by emptying its environment, leaving its group or its parent.

Linux only: the soft limit RLIMIT_LOCKS, which kernels have not enforced since 2.4.25 and every
descendant inherits. Only a call to setrlimit for this very limit takes it off. Decides nothing.
Imports next to nothing: a guardian may use it, too.
"""

from __future__ import annotations

import os
import sys

_LIMIT_LOCKS = 10
"""RLIMIT_LOCKS of asm-generic/resource.h; the module `resource` has no name for it."""
_LINE = b"Max file locks"


def tag_of(marker: str) -> int:
    """The tag that belongs to a marker: 60 of its bits. -1, which nobody has, to other texts."""
    try:
        return int(marker[:15], 16)
    except ValueError:
        return -1


def put(pid: int, marker: str) -> None:
    """Tag a process (0: this one) and its descendants to come; if that cannot be, do nothing."""
    if sys.platform != "linux" or tag_of(marker) < 0:  # -1 is how resource says "no limit"
        return
    import resource

    try:
        _, hard = resource.prlimit(pid, _LIMIT_LOCKS)
        resource.prlimit(pid, _LIMIT_LOCKS, (tag_of(marker), hard))
    except (OSError, ValueError):  # gone already, another user's, or a limit that was set for it
        return


def read(pid: int) -> int | None:
    """The tag of a process, or None."""
    try:
        with open(f"/proc/{pid}/limits", "rb") as file:
            limits = file.read()
    except OSError:
        return None
    _, found, rest = limits.partition(_LINE)
    soft = rest.split(None, 1)[0] if found else b""
    return int(soft) if soft.isdigit() else None


def all_pids() -> list[int]:
    """The PIDs of all processes that can be asked; empty where there are no tags."""
    if sys.platform != "linux":
        return []
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:  # no file can be opened any more
        return []
