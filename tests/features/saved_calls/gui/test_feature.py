"""In the window: a call is saved from its form, has a tab of its own, is found from anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.saved_calls.gui.save_dialog import SaveCallDialog
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.gui.activity.page import ActivityPage
from desktop.gui.tools.page import ToolsPage
from tests.gui.waiting import happens, turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.page_factory import Pages


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    yield made
    await made.close()


async def test_what_stands_in_a_form_is_saved_without_its_secrets(
    window: MainWindow, core: Core
) -> None:
    core.store.set_enabled("calculator", enabled=True)
    await core.settle()
    window.show_page("tools")
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    tools.save_requested.emit("calculator:calculate", {"a": 1, "token": "hunter22"})
    dialog = window.findChild(SaveCallDialog)
    assert dialog is not None
    dialog.name.setText("kept")
    dialog.accept()
    calls = SavedCalls(core.paths.saved_calls)
    while not calls.entries:
        await turns()
        await calls.load()
    assert calls.entries[0].call.arguments == {"a": 1}


async def test_the_saved_calls_come_a_turn_after_the_rest_of_their_page(window: MainWindow) -> None:
    window.show_page("activity")
    activity = window.page("activity")
    assert isinstance(activity, ActivityPage)
    assert activity.tabs.count() == 3
    await happens(activity.tab_added)
    assert activity.tabs.tabText(3) == "Saved calls"
    assert activity.tabs.currentWidget() is activity.calls
    window.hide()


async def test_what_is_saved_is_there_to_be_gone_to_from_anywhere(pages: Pages, core: Core) -> None:
    call = SavedCall(name="adds two", tool="calculator:calculate", arguments={"a": 1})
    await SavedCalls(core.paths.saved_calls).add(call)
    kept = [found for read in pages.navigation.stored for found in await read()]
    assert ("call", call.name, call.tool) in {(each.kind, each.name, each.detail) for each in kept}
