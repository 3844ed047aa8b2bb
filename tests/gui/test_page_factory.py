"""The real window: its pages are there, F5 reads the file again, the language changes them all."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QTabBar

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.window import rail_pages
from desktop.gui.activity.history_view import HistoryView
from desktop.gui.activity.page import ActivityPage
from desktop.gui.page_factory import Pages
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage
from desktop.gui.widgets.offers_page import OffersPage
from desktop.gui.widgets.server_faces import ServerFaces
from desktop.values.tool_types import ToolCall
from tests.gui.waiting import happens, turns
from tests.live_servers import names, stdio, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from tests.conftest import ExpectedLogs


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    yield made
    await made.close()


async def test_every_page_of_the_rail_is_built_when_it_is_first_shown(window: MainWindow) -> None:
    for number, page in enumerate(window.page_ids, 1):
        assert window.page(page) is None or page == "servers"
        window.show_page(page)
        assert window.page(page) is not None, number
    await turns()


async def test_a_server_that_connects_is_shown_with_the_icon_it_declares(
    window: MainWindow, core: Core
) -> None:
    faces = ServerFaces.of(window.theme)
    letter = faces.pixmap("plain").toImage()
    core.store.add_server(stdio("plain", "--icons", 1))
    shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    faces.changed.connect(lambda: shown.done() or shown.set_result(None))

    await asyncio.wait_for(shown, LIMIT)

    drawn = faces.pixmap("plain").toImage()
    assert drawn != letter
    assert drawn.pixelColor(drawn.width() // 2, drawn.height() // 2).name() == "#ff0000"
    faces.learn("plain", ())


async def test_f5_on_the_servers_page_reads_the_file_again(window: MainWindow, core: Core) -> None:
    entry = {"command": "nothing", "enabled": False}
    core.paths.config.write_text(json.dumps({"mcpServers": {"added": entry}}))
    window.show_page("processes")
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert "added" not in core.service.connections
    window.show_page("servers")
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert "added" in core.service.connections


@pytest.mark.skipif(sys.platform != "linux", reason="there is no keeper elsewhere")
async def test_the_end_of_the_process_that_watches_the_servers_is_said_once(
    window: MainWindow, core: Core, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("the process that watches the servers")
    expected_logs.allow("the guardian .* is gone")  # it ends with its keeper; which is seen first
    for name in ("one", "two"):
        core.store.add_server(stdio("plain", name=name))
    await core.settle()
    before = {tracked.process.pid for tracked in core.tracker.tracked}
    keepers = {tracked.keeper for tracked in core.tracker.tracked}
    for keeper in keepers:
        assert keeper is not None
        keeper.kill()
    said = "The process that watches the servers ended; all were started again."
    async with asyncio.timeout(LIMIT):
        while said not in window.banners.messages:
            await turns()
    for name in ("one", "two"):
        connection = core.service.connection(name)
        await until(
            connection.state_changed,
            lambda now=connection: now.is_connected and now.pid not in before,
        )
    assert window.banners.messages.count(said) == 1


async def test_f5_on_the_tools_page_lists_what_servers_have_now_that_tell_of_no_change(
    window: MainWindow, core: Core
) -> None:
    core.store.add_server(stdio("list_changes", "--era", "modern", "--listen", "mute", era="auto"))
    await core.settle()
    connection = core.service.connection("list_changes")
    await connection.call_tool("add_tool", {"name": "new"})
    window.show_page("tools")
    assert "new" not in names(connection)
    QTest.keyClick(window, Qt.Key.Key_F5)
    await until(connection.tools_changed, lambda: "new" in names(connection))
    assert core.registry.find("list_changes:new")


async def test_f5_on_the_tools_page_says_which_list_could_not_be_read(
    window: MainWindow, core: Core, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("list_changes: the tools could not be listed")
    core.store.add_server(stdio("list_changes"))
    await core.settle()
    connection = core.service.connection("list_changes")
    window.show_page("tools")
    process = psutil.Process(connection.pid)
    process.suspend()
    QTest.keyClick(window, Qt.Key.Key_F5)
    process.kill()
    async with asyncio.timeout(LIMIT):
        while not any("the tools could not be listed" in text for text in _texts(window)):
            await turns()


@pytest.mark.usefixtures("chinese")
async def test_every_page_speaks_the_language_of_the_start(window: MainWindow, core: Core) -> None:
    core.store.set_enabled("calculator", enabled=True)
    await core.settle()
    for page in window.page_ids:
        window.show_page(page)
        if isinstance(shown := window.page(page), OffersPage):
            while shown.is_reading:
                await turns()
            shown.show_offers()
    await turns()

    texts = {page: _texts(window.page(page)) for page in window.page_ids}

    assert [page for page, said in texts.items() if said & _TRANSLATED] == []
    assert all(any(sign >= "\u4e00" for text in said for sign in text) for said in texts.values())


async def test_a_call_of_the_activity_page_is_opened_in_its_form(
    window: MainWindow, core: Core
) -> None:
    core.store.set_enabled("calculator", enabled=True)
    await core.settle()
    arguments = {"operation": "multiply", "a": 6, "b": 7}
    await core.executor.run(ToolCall("calculator:calculate", arguments))
    window.show_page("activity")
    activity = window.page("activity")
    assert isinstance(activity, ActivityPage)
    while not activity.calls.edit.isEnabled():
        await turns()
    activity.calls.edit.trigger()
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert tools.view is not None
    assert (window.current_page, tools.view.form.value()) == ("tools", arguments)


async def test_the_earlier_calls_of_a_tool_are_a_tab_of_the_activity_page(
    window: MainWindow, core: Core
) -> None:
    window.show_page("tools")
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    tools.history_requested.emit("calculator:calculate")
    activity = window.page("activity")
    assert isinstance(activity, ActivityPage)
    history = activity.tabs.currentWidget()
    assert isinstance(history, HistoryView)
    assert history.list.search.text() == "calculator:calculate"
    window.hide()


_TRANSLATED = {
    *("Servers", "Built-in servers", "Connected", "Restart", "Output", "Memory", "Protocol"),
    *("Form", "Schema", "Run", "Clear", "Copy all", "Wrap lines", "Settings", "Language"),
}


def _texts(page: QWidget | None) -> set[str]:
    assert page is not None
    found = {child.text() for child in page.findChildren(QLabel)}
    found |= {child.text() for child in page.findChildren(QAbstractButton)}
    for bar in page.findChildren(QTabBar):
        found |= {bar.tabText(index) for index in range(bar.count())}
    return found


async def test_a_newcomer_runs_a_first_tool_with_two_keys(window: MainWindow, core: Core) -> None:
    servers = window.page("servers")
    assert isinstance(servers, ServersPage)
    window.activateWindow()
    servers.no_servers.welcome.try_calculator.setFocus()
    QTest.keyClick(servers.no_servers.welcome.try_calculator, Qt.Key.Key_Space)
    await happens(servers.first_call_requested)
    assert window.current_page == "tools"
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert tools.view is not None
    run = tools.view.bar.run
    assert window.focusWidget() is run
    await core.settle()
    results: list[str] = []
    core.executor.finished.connect(lambda _, result: results.append(result.output))
    QTest.keyClick(run, Qt.Key.Key_Space)
    await until(core.executor.finished, lambda: bool(results))
    assert "42" in results[0]
    await until(core.history.changed, lambda: not core.history.is_writing)


async def test_a_file_is_shown_as_an_import_on_the_servers_page(
    window: MainWindow, core: Core, tmp_path: Path
) -> None:
    file = tmp_path / "theirs.json"
    file.write_text('{"mcpServers": {"theirs": {"command": "x"}}}')
    window.show_page("processes")
    pages = Pages(window, rail_pages())
    pages.open(core)
    pages.import_from(str(file))
    servers = window.page("servers")
    assert isinstance(servers, ServersPage)
    assert window.current_page == "servers"
    dialog = servers.flow.open()
    await happens(dialog.sources.source_selected)
    while dialog.is_looking:
        await turns()
    assert dialog.tree.checked == {"theirs"}
    assert "theirs" not in core.store.servers
    dialog.reject()
