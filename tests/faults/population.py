"""Which processes of a run exist, found by the marker of the test in their command lines.

Never asks the app or its tracker. A zombie has no command line and does not count.
"""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING

import psutil

from tests.raw_client import end_marked, find_marked, population

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GONE_LIMIT = 10.0
"""Seconds after which a process that still exists is a survivor."""
_POLL = 0.02


def survivors(markers: Iterable[str], limit: float = GONE_LIMIT) -> dict[str, list[str]]:
    """What of each marker is still there when all had `limit` seconds to go, in words."""
    markers = tuple(markers)
    wait_until(lambda: not any(population(markers).values()), limit)
    return {marker: [_words(process) for process in find_marked(marker)] for marker in markers}


def end_all(markers: Iterable[str]) -> None:
    """Leave nothing of a run, whatever came of it."""
    for marker, processes in population(tuple(markers)).items():
        if processes:
            end_marked(marker)


def wait_until(holds: Callable[[], object], limit: float) -> bool:
    """Look until `holds` or the time is up; whether it held."""
    end = time.monotonic() + limit
    while not holds():
        if time.monotonic() > end:
            return False
        select.select([], [], [], _POLL)
    return True


def wait_unreaped(pid: int) -> None:
    """Until that child has ended; it is not collected. (macOS has `waitid` from Python 3.13 on.)"""
    status = psutil.Process(pid).status
    assert wait_until(lambda: status() == psutil.STATUS_ZOMBIE, GONE_LIMIT), status()


def _words(process: psutil.Process) -> str:
    try:
        return f"{process.pid} (parent {process.ppid()}): {' '.join(process.cmdline()[-6:])}"
    except psutil.Error:
        return f"{process.pid}: gone a moment later"
