"""The tasks that a server keeps are seen, fetched and ended in its details."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.tasks.gui.feature import add_tasks
from desktop.features.tasks.gui.tasks_view import TasksView
from tests.gui.servers.conftest import entry
from tests.gui.waiting import happens

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton
KEPT = {
    "task-1": {"name": "stuck", "left": 2, "state": "working"},
    "task-2": {"name": "work", "left": 0, "state": "completed"},
    "task-3": {"name": "broken", "left": 0, "state": "failed"},
}


@pytest.fixture
def open_tasks(
    open_panel: OpenPanel, theme: Theme, tmp_path: Path
) -> Callable[..., Awaitable[TasksView]]:
    """The tab with the tasks of a server that has some kept."""

    async def make(kept: object = KEPT) -> TasksView:
        file = tmp_path / "tasks.json"
        file.write_text(json.dumps(kept), "utf-8")
        panel = open_panel({"b": entry("task_server", "--keep", str(file), era="legacy")})
        await panel.until_words("b", "Connected")
        tabs = panel.page.details.tabs
        add_tasks(panel.page, theme)
        view = tabs.widget(tabs.count() - 1)
        assert isinstance(view, TasksView)
        tabs.setCurrentWidget(view)
        await happens(view.shown)
        return view

    return make


def choose(view: TasksView, row: int) -> None:
    item = view.list.topLevelItem(row)
    assert item is not None
    place = view.list.visualItemRect(item).center()
    QTest.mouseClick(view.list.viewport(), LEFT, pos=place)


async def test_each_task_is_a_line_that_says_how_it_is_doing(
    open_tasks: Callable[..., Awaitable[TasksView]],
) -> None:
    view = await open_tasks()
    assert [line[:2] for line in view.lines] == [
        ["task-1", "Working"],
        ["task-2", "Done"],
        ["task-3", "Failed"],
    ]
    assert view.lines[0][3] == "2 left"
    assert view.note.isHidden()


async def test_a_result_is_fetched_with_the_keys_and_a_failure_is_a_result_too(
    open_tasks: Callable[..., Awaitable[TasksView]],
) -> None:
    view = await open_tasks()
    choose(view, 1)
    assert not view.cancel_button.isEnabled()
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    await happens(view.shown)
    assert view.result is not None
    assert view.result.result is not None
    assert view.result.result.output == "completed"
    choose(view, 2)
    QTest.mouseClick(view.result_button, LEFT)
    await happens(view.shown)
    assert view.result.error.isVisible()


async def test_a_task_that_works_is_ended_and_stays_chosen(
    open_tasks: Callable[..., Awaitable[TasksView]],
) -> None:
    view = await open_tasks()
    choose(view, 0)
    assert not view.result_button.isEnabled()
    QTest.mouseClick(view.cancel_button, LEFT)
    while view.lines[0][1] != "Cancelled":
        await happens(view.shown)
    assert view.result_button.isEnabled()


async def test_without_a_task_it_says_what_will_be_there_and_without_support_there_is_no_tab(
    open_tasks: Callable[..., Awaitable[TasksView]], open_panel: OpenPanel, theme: Theme
) -> None:
    view = await open_tasks({})
    assert "run as tasks" in view.note.text()
    panel: Panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    tabs, before = panel.page.details.tabs, panel.page.details.tabs.count()
    add_tasks(panel.page, theme)
    assert tabs.count() == before
