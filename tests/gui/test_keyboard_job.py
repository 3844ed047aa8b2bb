"""The main job in the real window by keyboard alone, on three published servers.

A server is switched on, a tool found, filled in and run, its result read, and the call run again
from the history. Each step says where the focus is; nothing sets it but a key.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, NamedTuple

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from desktop.app import WindowApp
from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.gui.activity.history_view import HistoryView
from desktop.gui.activity.page import ActivityPage
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage
from tests import peers
from tests.gui.waiting import turns
from tests.live_servers import until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.tools.tool_view import ToolView
    from desktop.values.tool_types import ToolResult

_MOST_KEYS = 15
CONTROL = Qt.KeyboardModifier.ControlModifier
pytestmark = [pytest.mark.real_servers]


class Job(NamedTuple):
    server: str
    command: list[str]
    tool: str
    typed: list[str]  # into the fields, one after the other
    answer: str


def _jobs(folder: Path) -> dict[str, Job]:
    (folder / "hello.txt").write_text("hi")
    everything, files = peers.everything_command(), peers.filesystem_command(folder)
    memory = peers.memory_command()
    return {
        "everything": Job(
            "everything", everything, "get-sum", ["19", "23"], "The sum of 19 and 23 is 42."
        ),
        "filesystem": Job("filesystem", files, "list_directory", [str(folder)], "[FILE] hello.txt"),
        "memory": Job("memory", memory, "search_nodes", ["nobody"], '"entities": []'),
    }


class Window:
    """The running app and the keys that are pressed in it."""

    def __init__(self, app: WindowApp, core: Core) -> None:
        self.app, self.core, self.window = app, core, app.window
        self.results: list[ToolResult] = []
        core.executor.finished.connect(lambda _, result: self.results.append(result))

    @property
    def focus(self) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None
        assert not self.window.rail.isAncestorOf(widget), "the focus fell to the rail"
        return widget

    async def press(
        self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> QWidget:
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifier)
        await turns(6)
        return self.focus

    async def press_until(self, key: Qt.Key, holds: Callable[[], bool]) -> None:
        seen: list[QWidget] = []
        while not holds():
            assert len(seen) < _MOST_KEYS, seen
            seen.append(await self.press(key))

    async def type(self, text: str) -> None:
        QTest.keyClicks(self.focus, text)
        await turns(6)

    def page(self, name: str) -> QWidget:
        assert self.window.current_page == name
        found = self.window.page(name)
        assert found is not None
        return found

    async def answered(self, count: int) -> None:
        await until(self.core.executor.finished, lambda: len(self.results) >= count)
        await turns(10)


@pytest.fixture(params=["everything", "filesystem", "memory"])
async def job(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Window, Job]]:
    folder = tmp_path / "folder"
    folder.mkdir()
    jobs = _jobs(folder.resolve())
    entries = {
        each.server: {
            "command": each.command[0],
            "args": each.command[1:],
            "enabled": False,
            "env": {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")},
        }
        for each in jobs.values()
    }
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": entries}))
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    app = WindowApp(application, Paths(tmp_path / "mcp.json", tmp_path / "data"))
    ready: asyncio.Future[Core] = asyncio.get_running_loop().create_future()

    async def then(_: WindowApp, core: Core) -> None:
        ready.set_result(core)

    app.show()
    app.window.activateWindow()
    run = spawn(app.run(then), "app")
    core = await asyncio.wait_for(ready, LIMIT)
    yield Window(app, core), jobs[request.param]
    app.quit()
    await asyncio.wait_for(run, LIMIT)
    app.window.deleteLater()


@peers.needs_everything
@peers.needs_filesystem
@peers.needs_memory
async def test_a_tool_is_switched_on_found_run_read_and_run_again(job: tuple[Window, Job]) -> None:
    here, todo = job
    await _switch_on(here, todo)
    view = await _find(here, todo)
    await _fill_in_and_run(here, todo, view)
    await _read(here, todo, view)
    await _run_again(here, todo)


async def _switch_on(here: Window, todo: Job) -> None:
    await here.press(Qt.Key.Key_1, CONTROL)
    servers = here.page("servers")
    assert isinstance(servers, ServersPage)
    card = servers.list.cards[todo.server]
    await here.press_until(Qt.Key.Key_Down, lambda: here.focus is card)
    await here.press(Qt.Key.Key_Space)
    connection = here.core.service.connection(todo.server)
    await until(here.core.service.state_changed, lambda: connection.is_connected)
    await turns(10)
    assert here.focus is card


async def _find(here: Window, todo: Job) -> ToolView:
    await here.press(Qt.Key.Key_2, CONTROL)
    tools = here.page("tools")
    assert isinstance(tools, ToolsPage)
    assert here.focus is tools.tool_list.search_box
    await here.type(todo.tool)
    await here.press(Qt.Key.Key_Return)
    assert tools.view is not None
    assert tools.view.tool.key == f"{todo.server}:{todo.tool}"
    assert tools.view.form.fields.isAncestorOf(here.focus)
    return tools.view


async def _fill_in_and_run(here: Window, todo: Job, view: ToolView) -> None:
    for text in todo.typed:
        assert view.form.fields.isAncestorOf(here.focus)
        await here.type(text)
        if text is not todo.typed[-1]:
            await here.press(Qt.Key.Key_Tab)  # the next field, and nothing between
    await here.press_until(Qt.Key.Key_Tab, lambda: here.focus is view.bar.run)
    await here.press(Qt.Key.Key_Return)
    await here.answered(1)


async def _read(here: Window, todo: Job, view: ToolView) -> None:
    assert here.results[0].success
    assert todo.answer in here.results[0].output
    assert here.focus is view.bar.run
    await here.press_until(Qt.Key.Key_Tab, lambda: view.below.isAncestorOf(here.focus))


async def _run_again(here: Window, todo: Job) -> None:
    await here.press(Qt.Key.Key_6, CONTROL)
    activity = here.page("activity")
    assert isinstance(activity, ActivityPage)
    assert activity.isAncestorOf(here.focus)
    await here.press_until(Qt.Key.Key_Backtab, lambda: isinstance(here.focus, QTabBar))
    tabs = activity.tabs
    await here.press_until(Qt.Key.Key_Right, lambda: isinstance(tabs.currentWidget(), HistoryView))
    history = tabs.currentWidget()
    assert isinstance(history, HistoryView)
    table = history.list.table
    async with asyncio.timeout(LIMIT):
        while table.model().rowCount() < 1:
            await turns()
    await here.press_until(Qt.Key.Key_Tab, lambda: here.focus is table)
    await here.press(Qt.Key.Key_Home)
    async with asyncio.timeout(LIMIT):
        while not history.again.isEnabled():  # the thread of the history reads the call
            await turns()
    await here.press(Qt.Key.Key_R, CONTROL)
    await here.answered(2)
    assert todo.answer in here.results[1].output
    assert activity.isAncestorOf(here.focus)
    await until(here.core.history.changed, lambda: not here.core.history.is_writing)
