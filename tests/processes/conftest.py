"""The tracker of a test, which ends what the test has started, also when the test fails."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.processes.tracker import McpProcessTracker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    NewChildren = Callable[[], list[psutil.Process]]

_LINUX = ("guardian_process", "keeper_process", "linux_guardian", "linux_process")
collect_ignore = [] if sys.platform == "linux" else [f"test_{name}.py" for name in _LINUX]


@pytest.fixture
async def tracker() -> AsyncIterator[McpProcessTracker]:
    tracker = McpProcessTracker()
    yield tracker
    await tracker.close_all()


@pytest.fixture
def new_children() -> NewChildren:
    """Of this process, zombies too; some of other tests' live as long as the run."""
    before = set(psutil.Process().children())
    return lambda: [child for child in psutil.Process().children() if child not in before]
