"""The first frame: the servers and tools of the last run, and the page that takes its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui.last_known.awaited import AwaitedTools
from desktop.gui.last_known.keeper import ContentKeeper
from desktop.gui.last_known.preview import Preview, ServersPreview, ToolsPreview
from desktop.gui.last_known.server_cards import KnownServerCards
from desktop.gui.last_known.snapshot import MAX_BYTES, MAX_TOOLS
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.servers.page import ServersPage
from desktop.gui.theme import space
from desktop.gui.tools.page import ToolsPage
from desktop.gui.tools.tool_list_model import TOOL_ROLE
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
        core = build_core(paths, {})
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
    made = build_core(paths, {})
    yield made
    await made.settle()
    await made.close()


def show(window: MainWindow, paths: Paths) -> Pages:
    """What the app does before there is a core."""
    pages = Pages(window)
    pages.preview(paths)
    window.show()
    QApplication.processEvents()
    return pages


def tools_preview(window: MainWindow) -> ToolsPreview:
    assert isinstance(window.preview, ToolsPreview)
    return window.preview


def tools_page(window: MainWindow) -> ToolsPage:
    page = window.page("tools")
    assert isinstance(page, ToolsPage)
    return page


def is_of_last_run(shown: ToolList | ToolsPreview) -> bool:
    return any("As of" in label.text() for label in shown.findChildren(QLabel))


def keys(shown: ToolList) -> list[str]:
    """What stands in the rows: the tools by their keys, sections as nothing."""
    model = shown.view.model()
    rows = (model.index(row, 0).data(TOOL_ROLE) for row in range(model.rowCount()))
    return ["" if tool is None else tool.key for tool in rows]


def known_keys(preview: ToolsPreview) -> list[str]:
    return [getattr(row, "key", "") for row in preview.view.rows]


async def test_the_tools_of_the_last_run_are_there_before_the_core_and_become_real_in_place(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("tools")
    pages = show(window, paths)
    assert pages.is_content_shown
    preview = tools_preview(window)
    before = known_keys(preview)
    assert len(before) == 2 + 60 + 14
    preview.view.select("plain:add")
    preview.view.verticalScrollBar().setValue(40)
    assert is_of_last_run(preview)

    core.follow_store()
    pages.open(core)
    page = tools_page(window)
    assert window.preview is None
    assert keys(page.tool_list) == before
    assert page.tool_list.current_key == "plain:add"
    assert page.tool_list.view.verticalScrollBar().value() == 40
    assert page.view is None
    beside = page.stack.currentWidget()
    assert beside is not None
    words = [label.text() for label in beside.findChildren(QLabel)]
    assert "plain is starting. The form appears when it is ready." in words

    await core.settle()
    while is_of_last_run(page.tool_list):  # it may have refreshed by now
        await happens(page.refreshed)
    assert keys(page.tool_list) == before
    assert page.view is not None
    assert page.view.tool.key == "plain:add"
    assert page.view.tool.input_schema
    assert page.tool_list.view.verticalScrollBar().value() == 40


async def test_what_is_typed_before_the_page_is_there_is_searched_in_it(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("tools")
    pages = show(window, paths)
    QTest.keyClicks(tools_preview(window).search_box, "echo")
    core.follow_store()
    pages.open(core)
    assert tools_page(window).tool_list.search_box.text() == "echo"
    assert keys(tools_page(window).tool_list) == ["plain:echo"]


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
    core = build_core(paths, {})
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


async def test_the_servers_of_the_last_run_are_cards_and_a_click_counts_for_the_page(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("servers")
    pages = show(window, paths)
    assert isinstance(window.preview, ServersPreview)
    cards = window.preview.findChild(KnownServerCards)
    assert isinstance(cards, KnownServerCards)
    QTest.mouseClick(cards, Qt.MouseButton.LeftButton, pos=cards.place_of("off").center())
    switch = cards.place_of("plain").topLeft() + QPoint(30, 25)
    QTest.mouseClick(cards, Qt.MouseButton.LeftButton, pos=switch)
    assert window.preview.choices.switches == (("plain", False),)
    add = next(b for b in window.preview.findChildren(QPushButton) if "Add" in b.text())
    add.click()
    core.follow_store()
    pages.open(core)
    page = window.page("servers")
    assert isinstance(page, ServersPage)
    assert not core.store.servers["plain"].enabled
    assert page.list.selected == "plain"
    dialogs = [widget for widget in page.children() if type(widget).__name__ == "ServerDialog"]
    assert len(dialogs) == 1


async def test_a_card_of_the_first_frame_is_as_and_where_the_card_of_the_page_is(
    open_window: Callable[[str], MainWindow], paths: Paths, core: Core
) -> None:
    window = open_window("servers")
    pages = show(window, paths)
    assert window.preview is not None
    cards = window.preview.findChild(KnownServerCards)
    assert isinstance(cards, KnownServerCards)
    places = {
        name: cards.place_of(name).translated(cards.mapTo(window, QPoint()))
        for name in ("many", "plain", "off", "calculator")
    }
    before = window.grab().toImage()
    core.follow_store()
    pages.open(core)
    page = window.page("servers")
    assert isinstance(page, ServersPage)
    await turns()
    after = window.grab().toImage()
    for name, place in places.items():
        card = page.list.cards[name]
        assert (name, card.mapTo(window, QPoint()), card.size()) == (
            name,
            place.topLeft(),
            place.size(),
        )
    # One that is off says the same before and after: from its name to its badge.
    left = page.list.cards["calculator"].face.geometry().right() + 1
    inside = places["calculator"].adjusted(left, 1, -space(3), -1)
    assert before.copy(inside) == after.copy(inside)


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


def test_a_click_on_the_rail_shows_the_first_frame_of_another_page(
    open_window: Callable[[str], MainWindow], paths: Paths
) -> None:
    window = open_window("chat")
    show(window, paths)
    window.rail.button("servers").click()
    assert isinstance(window.preview, ServersPreview)
    window.rail.button("tools").click()
    assert isinstance(window.preview, ToolsPreview)


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
