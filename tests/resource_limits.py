"""A limit of this process that really bites: files that may be open, bytes that one may have."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def limited(name: Literal["RLIMIT_NOFILE", "RLIMIT_FSIZE"], most: int) -> Generator[None]:
    """Keep the soft limit for the block; the test is skipped where a system has none."""
    if sys.platform == "win32":
        pytest.skip("no limits of resources")
    import resource

    which: int = getattr(resource, name)
    before = resource.getrlimit(which)
    resource.setrlimit(which, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(which, before)
