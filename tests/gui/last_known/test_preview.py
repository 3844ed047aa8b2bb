"""The first frame: the servers and tools of the last run, and the page that takes its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.window import rail_pages
from desktop.gui.last_known.awaited import AwaitedTools
from desktop.gui.last_known.keeper import ContentKeeper
from desktop.gui.last_known.preview import KnownRows, Preview
from desktop.gui.last_known.snapshot import MAX_BYTES, MAX_TOOLS
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage
from desktop.gui.tools.tool_list_model import TOOL_ROLE
from desktop.gui.widgets.row_layout import EDGE
from desktop.gui.window_state import WindowState
from tests.gui.waiting import happens, turns
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from desktop.gui.tools.tool_list import ToolList

SECRET = "hunter2-and-more"
MANY = command("many_tools", "--count", 60, "--bytes", 100, "--page", 0)
PLAIN = command("plain")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "mcp.json", tmp_path / "data")


def configure(paths: Paths, **servers: tuple[str, list[str]]) -> None:
    """Write a config in which the server `off` is switched off."""
    entries = {
        name: {"command": program, "args": args, "env": {"TOKEN": SECRET}, "enabled": name != "off"}
        for name, (program, args) in servers.items()
    }
    paths.config.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")


@pytest.fixture
def open_window(qtbot: QtBot, theme: Theme, paths: Paths) -> Callable[[str], MainWindow]:
    def opened(page: str) -> MainWindow:
        state = WindowState(paths.window_state)
        state.page = page
        made = MainWindow(theme, state)
        qtbot.addWidget(made, before_close_func=lambda _: made.finish())
        return made

    return opened


@pytest.fixture
def keep(open_window: Callable[[str], MainWindow], paths: Paths) -> Callable[[], Awaitable[int]]:
    """Run servers once, and keep what the window would show; returns the size of that."""

    async def run() -> int:
        core = build_core(paths, {"SHELL": "/bin/sh"})
        core.follow_store()
        try:
            await core.settle()
            awaited = AwaitedTools(None, core.service)
            keeper = ContentKeeper(open_window("tools"), core, awaited)
            keeper.finish()
        finally:
            await core.close()
        return paths.window_content.stat().st_size

    return run


@pytest.fixture
async def core(paths: Paths, keep: Callable[[], Awaitable[int]]) -> AsyncIterator[Core]:
    """Of the second run; its servers are not started yet."""
    configure(paths, many=MANY, plain=PLAIN, off=PLAIN)
    await keep()
    made = build_core(paths, {"SHELL": "/bin/sh"})
    yield made
    await made.settle()
    await made.close()


def show(window: MainWindow, paths: Paths) -> Pages:
    """What the app does before there is a core."""
    pages = Pages(window, rail_pages())
    pages.preview(paths)
    window.show()
    QApplication.processEvents()
    return pages


def known_rows(window: MainWindow) -> KnownRows:
    """The list of the first frame."""
    assert isinstance(window.preview, Preview)
    assert window.preview.rows is not None
    return window.preview.rows


def lines(rows: KnownRows) -> list[str]:
    return [rows.item(row).text() for row in range(rows.count())]


def tools_page(window: MainWindow) -> ToolsPage:
    page = window.page("tools")
    assert isinstance(page, ToolsPage)
    return page


def is_of_last_run(shown: QWidget | None) -> bool:
    assert shown is not None
    return any("As of" in label.text() for label in shown.findChildren(QLabel))


def keys(shown: ToolList) -> list[str]:
    """What stands in the rows: the tools by their keys, sections as nothing."""
    model = shown.view.model()
    rows = (model.index(row, 0).data(TOOL_ROLE) for row in range(model.rowCount()))
    return ["" if tool is None else tool.key for tool in rows]


async def test_the_tools_of_the_last_run_are_there_before_the_core_and_become_real_in_place(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("tools")
    window.state.settings.setValue("tools/chosen", "plain:add")
    pages = show(window, paths)
    assert pages.is_content_shown
    before = lines(known_rows(window))
    assert len(before) == 2 + 60 + 14
    assert before[:2] == ["many  ·  60", "tool_00000\nNumber 0."]
    assert known_rows(window).currentItem().text().startswith("add\n")
    assert is_of_last_run(window.preview)

    core.follow_store()
    pages.open(core)
    page = tools_page(window)
    assert window.preview is None
    known = keys(page.tool_list)
    assert [key.partition(":")[2] for key in known if key] == [
        line.partition("\n")[0] for line in before if "\n" in line
    ]
    assert page.tool_list.current_key == "plain:add"
    assert page.view is None
    beside = page.stack.currentWidget()
    assert beside is not None
    words = [label.text() for label in beside.findChildren(QLabel)]
    assert "plain is starting. The form appears when it is ready." in words

    await core.settle()
    while is_of_last_run(page.tool_list):  # it may have refreshed by now
        await happens(page.refreshed)
    assert keys(page.tool_list) == known
    assert page.view is not None
    assert page.view.tool.key == "plain:add"
    assert page.view.tool.input_schema


async def test_a_server_that_is_switched_off_or_gone_does_not_come_back(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("tools")
    pages = show(window, paths)
    core.store.set_enabled("many", enabled=False)
    core.follow_store()
    pages.open(core)
    assert {key.partition(":")[0] for key in keys(tools_page(window).tool_list)} == {"plain"}
    core.store.remove_server("plain")
    while keys(tools_page(window).tool_list):
        await happens(tools_page(window).refreshed)


async def test_a_server_that_fails_takes_its_known_tools_away(
    open_window: Callable[[str], MainWindow],
    paths: Paths,
    tmp_path: Path,
    keep: Callable[[], Awaitable[int]],
) -> None:
    program, args = PLAIN
    script = tmp_path / "server.py"
    script.write_text(f"import runpy; runpy.run_path({args[-1]!r})", encoding="utf-8")
    configure(paths, plain=(program, [*args[:-1], str(script)]))
    await keep()
    script.unlink()
    core = build_core(paths, {"SHELL": "/bin/sh"})
    try:
        window = open_window("tools")
        pages = show(window, paths)
        core.follow_store()
        pages.open(core)
        page = tools_page(window)
        page.show_tool("plain:add")
        assert page.stack.currentIndex() != 0
        await core.settle()
        while keys(page.tool_list):
            await happens(page.refreshed)
        assert page.stack.currentIndex() == 0
    finally:
        await core.close()


async def test_the_servers_of_the_last_run_are_there_with_what_they_were_and_are_to_be(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("servers")
    assert show(window, paths).is_content_shown
    assert is_of_last_run(window.preview)
    shown = lines(known_rows(window))
    assert shown == [  # those built in are off, and folded on the page
        "Your servers",
        "many\nStarting…  ·  stdio  ·  60 tools",
        "plain\nStarting…  ·  stdio  ·  14 tools",
        "off\nOff  ·  stdio",
    ]
    assert known_rows(window).currentRow() == 1


@pytest.mark.parametrize(("page", "name"), [("servers", "Servers"), ("tools", "Tools")])
async def test_a_screen_reader_can_say_what_is_in_the_first_frame(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core, page: str, name: str
) -> None:
    window = open_window(page)
    show(window, paths)
    rows = known_rows(window)
    spoken = QAccessible.queryAccessibleInterface(rows)
    assert spoken.role() == QAccessible.Role.List
    assert spoken.text(QAccessible.Text.Name) == name
    assert spoken.childCount() == rows.count()
    said = [spoken.child(row).text(QAccessible.Text.Name) for row in range(rows.count())]
    assert said == lines(rows)


@pytest.mark.parametrize("page", ["servers", "tools"])
async def test_a_key_that_is_pressed_in_the_first_frame_changes_nothing(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core, page: str
) -> None:
    before = paths.config.read_bytes()
    window = open_window(page)
    pages = show(window, paths)
    rows = known_rows(window)
    shown = lines(rows)
    assert rows.hasFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_F2):
        QTest.keyClick(rows, key)
    QTest.mouseDClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_place(rows, 1).center())
    QTest.mouseRelease(rows.viewport(), Qt.MouseButton.LeftButton)
    assert lines(rows) == shown
    core.follow_store()
    pages.open(core)
    assert paths.config.read_bytes() == before


@pytest.mark.parametrize("page", ["servers", "tools"])
async def test_the_focus_goes_from_the_first_frame_into_the_page_that_takes_its_place(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core, page: str
) -> None:
    window = open_window(page)
    pages = show(window, paths)
    known_rows(window).setFocus()
    core.follow_store()
    pages.open(core)
    await turns()
    shown = window.page(page)
    focused = window.focusWidget()
    if isinstance(shown, ServersPage):
        assert focused is shown.list.cards["many"]
    else:
        assert focused is tools_page(window).tool_list.search_box


async def test_the_focus_stays_in_the_rail_when_the_page_takes_the_place_of_the_first_frame(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("tools")
    pages = show(window, paths)
    button = window.rail.button("servers")
    button.setFocus()
    button.click()
    core.follow_store()
    pages.open(core)
    await turns()
    assert window.focusWidget() is button
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert core.store.servers["many"].enabled


def row_place(rows: KnownRows, row: int) -> QRect:
    return rows.visualItemRect(rows.item(row))


async def test_a_server_of_the_first_frame_is_about_where_its_card_will_be(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("servers")
    pages = show(window, paths)
    rows = known_rows(window)
    names = [line.partition("\n")[0] for line in lines(rows)]
    middles = {
        name: rows.viewport().mapTo(window, row_place(rows, names.index(name)).center()).y()
        for name in ("many", "plain", "off")  # a built-in one that is off is folded
    }
    core.follow_store()
    pages.open(core)
    await turns()
    page = window.page("servers")
    assert isinstance(page, ServersPage)
    for name, middle in middles.items():
        card = page.list.cards[name]
        assert card.mapTo(window, card.rect().center()).y() == pytest.approx(middle, abs=12)


async def test_a_tool_of_the_first_frame_is_where_its_row_will_be_and_looks_like_it(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("tools")
    pages = show(window, paths)
    rows = known_rows(window)
    before = [row_place(rows, row).translated(rows.mapTo(window, QPoint())) for row in range(9)]
    picture = window.grab(before[3]).toImage()
    core.follow_store()
    pages.open(core)
    await turns()
    view = tools_page(window).tool_list.view
    for row, place in enumerate(before):
        after = view.visualRect(view.model().index(row, 0)).translated(view.mapTo(window, QPoint()))
        assert after.height() == place.height()
        assert after.top() == pytest.approx(place.top(), abs=2)
        if row == 3:
            real = window.grab(after).toImage()
            pixels = [(x, y) for x in range(EDGE, real.width() // 2) for y in range(real.height())]
            inked = {at for at in pixels if real.pixelColor(*at).lightness() < 150}
            known = {at for at in pixels if picture.pixelColor(*at).lightness() < 150}
            assert len(inked & known) > 0.5 * len(inked | known)


@pytest.mark.parametrize("page", ["chat", "activity", "processes", "settings", "prompts"])
def test_a_page_without_a_memory_has_its_frame_at_once(
    open_window: Callable[[str], MainWindow], paths: Paths, page: str
) -> None:
    window = open_window(page)
    pages = show(window, paths)
    assert isinstance(window.preview, Preview)
    assert not pages.is_content_shown
    titles = [label.text() for label in window.preview.findChildren(QLabel)]
    assert titles == ([page.capitalize()] if page in {"activity", "processes", "settings"} else [])


async def test_a_click_on_the_rail_shows_the_first_frame_of_another_page(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("chat")
    show(window, paths)
    window.rail.button("servers").click()
    assert lines(known_rows(window))[0] == "Your servers"
    window.rail.button("tools").click()
    assert lines(known_rows(window))[0] == "many  ·  60"


async def test_what_is_kept_has_a_bound_and_neither_secrets_nor_commands(
    paths: Paths, keep: Callable[[], Awaitable[int]]
) -> None:
    program, args = command("many_tools", "--count", 3000, "--bytes", 2000, "--page", 500)
    configure(paths, many=(program, args), off=PLAIN)
    assert await keep() <= MAX_BYTES
    text = paths.window_content.read_text("utf-8")
    content = json.loads(text)
    assert len(content["tools"]) == MAX_TOOLS
    assert content["tool_count"] == 3000
    assert SECRET not in text
    assert program not in text
