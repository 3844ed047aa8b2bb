"""The tracker of a test, which ends what the test has started, also when the test fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.processes.tracker import McpProcessTracker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def tracker() -> AsyncIterator[McpProcessTracker]:
    tracker = McpProcessTracker()
    yield tracker
    await tracker.close_all()
