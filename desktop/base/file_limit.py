"""How many files this process may have open: more than usual where it serves connections.

What it starts keeps the limit that it had itself: a program that waits by `select` cannot have more
than 1,024. Linux alone has a way to give that back, so elsewhere nothing is changed.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Final

WANTED: Final = 8_192
_first: list[int] = []


def raise_file_limit() -> int:
    """Let this process open up to `WANTED` files, if it may; returns how many it may."""
    if sys.platform == "win32":  # sockets are no files there
        return WANTED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if sys.platform != "linux" or soft == resource.RLIM_INFINITY or soft >= most:
        return WANTED if soft == resource.RLIM_INFINITY else soft
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        _first.append(soft)
        return most
    return soft


def give_first_limit(pid: int) -> None:
    """Give a child the limit that this process had before it was raised."""
    if not _first or sys.platform != "linux":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):  # it has ended
        _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (_first[0], hard))
