"""Both tabs together over a real core: what is run again is there on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core import build_core
from desktop.gui.activity.activity_page import ActivityPage
from desktop.gui.history.history_tabs import HistoryTabs
from desktop.gui.history.save_dialog import SaveCallDialog
from desktop.history.saved_run import SavedCallRunner
from desktop.paths import Paths
from desktop.recent_logs import RecentLogs
from desktop.tools.call import ToolCall
from desktop.tools.recent_calls import RecentCalls
from tests.gui.history.conftest import once
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)
TOOL = "calculator:calculate"


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {})
    made.store.set_enabled("calculator", enabled=True)
    made.follow_store()
    await made.settle()
    yield made
    await made.close()


@pytest.fixture
async def tabs(qtbot: QtBot, theme: Theme, core: Core, settings: QSettings) -> HistoryTabs:
    runner = SavedCallRunner(core.service, core.executor)
    calls = RecentCalls(core.executor)
    around = ActivityPage(theme, core.traffic, calls, RecentLogs(), settings)
    qtbot.addWidget(around)
    made = HistoryTabs(
        around, theme, core.history, core.saved_calls, runner, core.executor, settings
    )
    around.resize(1000, 700)
    around.show()
    made.show_calls_of("")
    return made


async def test_a_call_is_run_again_and_its_new_result_is_shown(
    tabs: HistoryTabs, core: Core
) -> None:
    await core.executor.run(ToolCall(TOOL, {"operation": "add", "a": 1, "b": 2}))
    view = tabs.history
    await once(view.shown, lambda: view.record is not None)
    first = view.record
    view.again.trigger()
    await once(view.shown, lambda: view.record not in (None, first))
    assert view.record is not None
    assert view.record.result.output == "3"
    assert view.list.model.total == 2


async def test_a_call_is_saved_from_the_history(tabs: HistoryTabs, core: Core) -> None:
    await core.executor.run(ToolCall(TOOL, {"operation": "add", "a": 1, "b": 2}))
    view = tabs.history
    await once(view.shown, lambda: view.record is not None)
    assert view.record is not None
    dialog = tabs.saved.save_record(view.record)
    dialog.name.setText("adds")
    dialog.expect_result.click()
    dialog.accept()
    await until(core.saved_calls.changed, lambda: core.saved_calls.entries)
    assert core.saved_calls.entries[0].call.expect.equals == {"": {"result": 3}}


async def test_the_calls_of_one_tool_are_shown(tabs: HistoryTabs, core: Core) -> None:
    await core.executor.run(ToolCall(TOOL, {"operation": "add", "a": 1, "b": 2}))
    await core.executor.run(ToolCall("calculator:evaluate", {"expression": "6*7"}))
    view = tabs.history
    await once(view.shown, lambda: view.list.model.total == 2)
    tabs.show_calls_of("calculator:evaluate")
    await once(view.list.loaded, lambda: view.list.model.total == 1)
    assert view.record is not None
    assert view.record.summary.key == "calculator:evaluate"


async def test_a_call_in_a_form_is_saved_by_name(tabs: HistoryTabs, core: Core) -> None:
    tabs.save_call(TOOL, {"operation": "add", "a": 1, "b": 2})
    dialog = tabs.saved.window().findChild(SaveCallDialog)
    assert dialog is not None
    dialog.name.setText("adds")
    dialog.accept()
    await until(core.saved_calls.changed, lambda: core.saved_calls.entries)
    assert core.saved_calls.entries[0].call.arguments == {"operation": "add", "a": 1, "b": 2}
