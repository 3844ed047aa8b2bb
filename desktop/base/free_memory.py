"""Gives memory that is free in this process back to the system.

glibc keeps what was freed between two things that are still there: after a large answer that may be
most of it, and the window never gives it back by itself: 18 MB of a Tools page, 7 MB of a result of
100 MB. Must not collect garbage.
"""

from __future__ import annotations

import sys


def return_free_memory() -> None:
    """Takes some milliseconds; does nothing where the system's library does it by itself."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not there with musl
    if trim is not None:
        trim(0)
