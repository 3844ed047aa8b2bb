"""Ctrl+K in the real window: every kind of entry leads where it says, by keyboard alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.palette.gui.entries import Palette
from desktop.gui import shortcuts
from desktop.gui.navigation import Action, Stored
from desktop.gui.servers.page import ServersPage
from desktop.gui.servers.server_dialog import ServerDialog
from desktop.gui.shortcut_sheet import ShortcutSheet
from desktop.gui.tools.page import ToolsPage
from tests.gui.test_accessibility import nameless
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.page_factory import Pages
    from desktop.values.tool_types import JsonObject

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.set_enabled("calculator", enabled=True)
    await made.settle()
    yield made
    await made.close()


async def opened(window: MainWindow) -> Palette:
    """The palette after Ctrl+K, once everything was looked at."""
    window.activateWindow()
    await turns()
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_K, CONTROL)
    await turns(30)
    palette = window.findChild(Palette)
    assert isinstance(palette, Palette)
    assert palette.isVisible()
    assert palette.box.hasFocus()
    return palette


async def choose(window: MainWindow, words: str) -> None:
    palette = await opened(window)
    while not any(words.lower() in each.title.lower() for each in palette.shown):
        QTest.keyClicks(palette.box, words)
        await turns(30)
    QTest.keyClicks(palette.box, "" if palette.box.text() else words)
    await turns(5)
    QTest.keyClick(palette.box, Qt.Key.Key_Return)
    assert palette.isHidden()
    await turns(5)


async def test_a_tool_is_opened_with_the_focus_in_its_first_field(window: MainWindow) -> None:
    await choose(window, "calculate")
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert window.current_page == "tools"
    assert tools.view is not None
    assert tools.view.tool.key == "calculator:calculate"
    focus = QApplication.focusWidget()
    assert focus is not None
    assert tools.view.form.fields.isAncestorOf(focus)


async def test_a_page_and_a_server_are_opened(window: MainWindow) -> None:
    await choose(window, "Processes")
    assert window.current_page == "processes"
    await choose(window, "memory")
    servers = window.page("servers")
    assert isinstance(servers, ServersPage)
    assert (window.current_page, servers.list.selected) == ("servers", "memory")
    assert servers.list.cards["memory"].hasFocus()


async def test_a_server_is_switched_from_the_palette(window: MainWindow, core: Core) -> None:
    await choose(window, "Switch off calculator")
    assert not core.store.servers["calculator"].enabled
    await choose(window, "Switch on calculator")
    assert core.store.servers["calculator"].enabled
    await core.settle()


async def test_a_stored_call_fills_the_form_of_its_tool(pages: Pages, window: MainWindow) -> None:
    arguments: JsonObject = {"operation": "add", "a": 1, "b": 2}

    fill = partial(pages.navigation.open_call, "calculator:calculate", arguments)

    async def stored() -> list[Stored]:
        return [Stored("call", "1", "adds two", "calculator:calculate", fill)]

    pages.navigation.stored.append(stored)
    palette = await opened(window)
    QTest.keyClicks(palette.box, "adds two")
    while not palette.shown or palette.shown[0].kind != "call":
        await turns()
    QTest.keyClick(palette.box, Qt.Key.Key_Return)
    await turns()
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert tools.view is not None
    assert tools.view.form.value() == arguments


async def test_actions_open_their_dialogs(window: MainWindow) -> None:
    await choose(window, "Show keyboard shortcuts")
    sheet = window.findChild(ShortcutSheet)
    assert sheet is not None
    sheet.reject()
    await choose(window, "Add server")
    dialog = window.findChild(ServerDialog)
    assert dialog is not None
    dialog.reject()


async def test_what_was_chosen_is_first_the_next_time(window: MainWindow) -> None:
    await choose(window, "calculate")
    palette = await opened(window)
    assert palette.shown[0].title == "calculate"
    QTest.keyClick(palette.box, Qt.Key.Key_Escape)


async def test_escape_gives_the_focus_back_to_where_it_was(window: MainWindow) -> None:
    window.show_page("tools")
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    tools.tool_list.view.setFocus()
    palette = await opened(window)
    QTest.keyClicks(palette.box, "x")
    QTest.keyClick(palette.box, Qt.Key.Key_Escape)
    assert palette.isHidden()
    assert tools.tool_list.view.hasFocus()


async def test_it_closes_when_the_keyboard_goes_elsewhere(window: MainWindow) -> None:
    palette = await opened(window)
    QTest.keyClicks(palette.box, "sum")
    QTest.keyClick(palette.box, Qt.Key.Key_2, CONTROL)
    assert window.current_page == "tools"
    assert palette.isHidden()
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert tools.tool_list.search_box.hasFocus()


async def test_the_same_key_closes_it_and_so_does_a_click_beside_it(window: MainWindow) -> None:
    palette = await opened(window)
    QTest.keyClick(palette.box, Qt.Key.Key_K, CONTROL)
    assert palette.isHidden()
    await opened(window)
    QTest.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(3, palette.height() - 3))
    assert palette.isHidden()


async def test_tab_stays_in_it_and_arrows_move_the_choice(window: MainWindow) -> None:
    palette = await opened(window)
    QTest.keyClick(palette.box, Qt.Key.Key_Tab)
    assert palette.box.hasFocus()
    for _ in range(3):
        QTest.keyClick(palette.box, Qt.Key.Key_Down)
    assert palette.view.currentIndex().row() == 3
    QTest.keyClick(palette.box, Qt.Key.Key_PageUp)
    assert palette.view.currentIndex().row() == 0
    QTest.keyClicks(palette.box, "no such thing")
    await turns(30)
    assert palette.nothing.isVisible()
    QTest.keyClick(palette.box, Qt.Key.Key_Return)
    assert palette.isVisible()
    window.hide()


async def test_enter_that_comes_before_the_search_is_done_opens_the_best(
    window: MainWindow,
) -> None:
    palette = await opened(window)
    QTest.keyClicks(palette.box, "calculate")
    QTest.keyClick(palette.box, Qt.Key.Key_Return)
    assert window.current_page == "tools"


async def test_it_opens_over_a_dialogless_field_and_leaves_its_text(window: MainWindow) -> None:
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    palette = await opened(window)
    QTest.keyClick(palette.box, Qt.Key.Key_Escape)
    assert field.hasFocus()
    assert field.text() == ""


async def test_what_another_feature_has_to_do_is_found_and_done(pages: Pages) -> None:
    done: list[str] = []
    pages.navigation.actions.append(Action("sing", "Sing aloud", lambda: done.append("sung")))
    await choose(pages.window, "Sing aloud")
    assert done == ["sung"]


async def test_all_of_it_has_a_name(window: MainWindow) -> None:
    palette = await opened(window)
    assert nameless(palette) == []
    rows = QAccessible.queryAccessibleInterface(palette.view)
    assert rows.text(QAccessible.Text.Name) == "Matches"
    first = rows.child(0)
    assert first is not None
    assert first.text(QAccessible.Text.Name).startswith("Servers")
    palette.close_palette()


async def test_its_key_is_on_the_sheet_of_shortcuts_above_all_others(window: MainWindow) -> None:
    anywhere = next(iter(shortcuts.sections().values()))
    assert [shortcut.label for shortcut in anywhere[:2]] == ["Ctrl+K", "F1, ?"]


async def test_tools_and_servers_have_the_face_of_the_server(window: MainWindow) -> None:
    palette = await opened(window)
    QTest.keyClicks(palette.box, "calculat")
    while not {"tool", "server"} <= {entry.kind for entry in palette.shown}:
        await turns()
    faces = {entry.kind: entry.server for entry in palette.shown}
    assert (faces["tool"], faces["server"]) == ("calculator", "calculator")
    palette.close_palette()
