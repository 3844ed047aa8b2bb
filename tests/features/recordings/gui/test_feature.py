"""In the window: a server is compared from its details."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.recordings.gui.compare_dialog import CompareDialog
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.gui.servers.page import ServersPage
from tests.gui.waiting import turns

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


async def test_the_comparison_of_a_server_opens_with_its_saved_calls(
    window: MainWindow, core: Core
) -> None:
    core.store.set_enabled("calculator", enabled=True)
    await core.settle()
    call = {"name": "adds", "tool": "calculator:calculate"}
    await SavedCalls(core.paths.saved_calls).add(SavedCall.model_validate(call))
    page = window.page("servers")
    assert isinstance(page, ServersPage)
    page.list.select("calculator")
    page.details.compare.trigger()
    (dialog,) = window.findChildren(CompareDialog)
    assert dialog.old.currentData() == "calculator"
    while not dialog.results.run.isEnabled():
        await turns()
    assert dialog.results.risk.isHidden()  # its tool says that it is read-only
    dialog.reject()
