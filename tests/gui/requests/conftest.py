"""Requests as servers make them, and a window that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui.requests.feature import RequestsFeature

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    yield made
    await made.close()


@pytest.fixture
def feature(window: MainWindow) -> RequestsFeature:
    """That of the window, which every window has."""
    found = window.findChild(RequestsFeature)
    assert isinstance(found, RequestsFeature)
    return found
