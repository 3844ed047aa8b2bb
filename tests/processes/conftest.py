"""The tracker of a test, which ends what the test has started, also when the test fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.processes.tracker import McpProcessTracker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    NewChildren = Callable[[], list[psutil.Process]]


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
