"""The main job through the real window: a server on, its tool run from the form, the server off."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop.app import WindowApp
from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage
from tests import peers
from tests.gui.waiting import turns
from tests.live_servers import until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.values.tool_types import ToolResult

CONTROL = Qt.KeyboardModifier.ControlModifier
pytestmark = [pytest.mark.real_servers, peers.needs_everything]


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[tuple[WindowApp, Core]]:
    """The app on a config with server-everything, switched off."""
    program, *args = peers.everything_command()
    entry = {"command": program, "args": args, "enabled": False}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"everything": entry}}))
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    app = WindowApp(application, Paths(tmp_path / "mcp.json", tmp_path / "data"))
    ready: asyncio.Future[Core] = asyncio.get_running_loop().create_future()

    async def then(_: WindowApp, core: Core) -> None:
        ready.set_result(core)

    app.show()
    run = spawn(app.run(then), "app")
    yield app, await asyncio.wait_for(ready, LIMIT)
    app.quit()
    await asyncio.wait_for(run, LIMIT)
    app.window.deleteLater()


async def test_a_server_is_toggled_on_its_tool_run_and_toggled_off(
    running: tuple[WindowApp, Core],
) -> None:
    app, core = running
    connection = core.service.connection("everything")
    servers = app.window.page("servers")
    assert isinstance(servers, ServersPage)
    QTest.mouseClick(servers.list.cards["everything"].switch, Qt.MouseButton.LeftButton)
    await until(core.service.state_changed, lambda: connection.is_connected)
    assert connection.pid is not None
    process = psutil.Process(connection.pid)

    await run_get_sum(app, core)

    app.window.show_page("servers")
    QTest.mouseClick(servers.list.cards["everything"].switch, Qt.MouseButton.LeftButton)
    await until(core.service.state_changed, lambda: connection.state.phase == "stopped")
    assert not process.is_running()
    assert core.registry.all() == ()
    assert "enabled" in (core.paths.config).read_text(encoding="utf-8")


async def run_get_sum(app: WindowApp, core: Core) -> None:
    """As a person does with the keyboard alone: page, search, arrow, fields, Ctrl+Enter."""
    QTest.keyClick(app.window, Qt.Key.Key_2, CONTROL)
    tools = app.window.page("tools")
    assert isinstance(tools, ToolsPage)
    await turns()
    tools.tool_list.search_box.setFocus()
    QTest.keyClicks(tools.tool_list.search_box, "get-sum")
    await turns()
    QTest.keyClick(tools.tool_list.search_box, Qt.Key.Key_Down)
    await turns()
    view = tools.view
    assert view is not None
    first, second = view.form.findChildren(QLineEdit)[:2]
    QTest.keyClicks(first, "19")
    QTest.keyClicks(second, "23")
    finished: list[ToolResult] = []
    core.executor.finished.connect(lambda _, result: finished.append(result))
    QTest.keyClick(second, Qt.Key.Key_Return, CONTROL)
    await until(core.executor.finished, lambda: bool(finished))
    await turns()
    assert view.result is not None
    assert "The sum of 19 and 23 is 42." in view.result.text.editor.toPlainText()
