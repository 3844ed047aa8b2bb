"""Each key of the sheet works where it says so, with nothing opened before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui import shortcuts
from desktop.gui.activity.history_view import HistoryView
from desktop.gui.processes.page import ProcessesPage
from desktop.gui.servers.page import ServersPage
from desktop.gui.servers.server_dialog import ServerDialog
from desktop.gui.tools.page import ToolsPage
from desktop.values.tool_types import ToolCall
from tests.gui.waiting import turns
from tests.live_servers import stdio
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from PySide6.QtCore import QKeyCombination

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow

PAGES = ["servers", "tools", "resources", "prompts", "chat", "activity", "processes", "settings"]
NOT_PRESSED = {"Ctrl+Q"}


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.store.load()
    made.store.add_server(stdio("plain"))
    made.follow_store()
    await made.settle()
    yield made
    await made.close()


def press(keys: str, at: QWidget) -> None:
    sequence: Sequence[QKeyCombination] = QKeySequence(keys)  # pyright: ignore[reportAssignmentType] # its stubs have no items
    QTest.keyClick(at, sequence[0].key(), sequence[0].keyboardModifiers())


def close_what_is_open(window: MainWindow) -> list[str]:
    """Close dialogs, menus and panels; their names."""
    found: list[str] = []
    for one in QApplication.topLevelWidgets():
        if isinstance(one, QDialog | QMenu) and one.isVisible():
            found.append(type(one).__name__)
            one.close()
            one.deleteLater()
    return found


async def active(window: MainWindow) -> None:
    """Until the window has the keyboard again."""
    window.activateWindow()
    async with asyncio.timeout(LIMIT):
        while not window.isActiveWindow():
            await turns()


async def go_to(window: MainWindow, page: str) -> QWidget:
    press(f"Ctrl+{PAGES.index(page) + 1}", QApplication.focusWidget() or window)
    await turns(6)
    shown = window.page(page)
    assert shown is not None
    return shown


def where(window: MainWindow) -> str:
    """Where the keyboard is, if a person cannot see or would not look for it there."""
    focus = window.focusWidget()
    if focus is None:  # pyright: ignore[reportUnnecessaryComparison] # its stubs are wrong
        return "nowhere"
    if window.rail.isAncestorOf(focus):
        return "in the rail"
    if not focus.isVisible() or focus.visibleRegion().isEmpty():
        return f"out of sight: {type(focus).__name__}"
    return ""


@pytest.mark.parametrize("page", PAGES)
async def test_the_first_visit_of_a_page_by_its_key_puts_the_keyboard_into_it(
    window: MainWindow, page: str
) -> None:
    window.show()
    window.activateWindow()
    shown = await go_to(window, page)
    assert window.current_page == page
    assert where(window) == ""
    focus = QApplication.focusWidget()
    assert focus is not None
    assert shown is focus or shown.isAncestorOf(focus)
    close_what_is_open(window)
    window.hide()


@pytest.mark.parametrize("page", PAGES)
async def test_no_key_of_the_sheet_takes_the_keyboard_out_of_sight(
    window: MainWindow, page: str
) -> None:
    window.show()
    window.activateWindow()
    await go_to(window, page)
    lost: list[str] = []
    for shortcut in shortcuts.ALL:
        for keys in shortcut.keys[:1]:
            if keys in NOT_PRESSED:
                continue
            await go_to(window, page)
            press(keys, QApplication.focusWidget() or window)
            await turns(4)
            close_what_is_open(window)
            await active(window)
            if found := where(window):
                lost.append(f"{keys}: {found}")
    assert lost == []
    window.hide()


def opened() -> str:
    """The dialog that a key opened."""
    shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog)]
    return next((type(one).__name__ for one in shown if one.isVisible()), "")


def seen(window: MainWindow) -> tuple[object, ...]:
    """What a key of a tool can change."""
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    view = tools.view
    assert view is not None
    return (
        opened(),
        window.current_page,
        view.tabs.currentIndex(),
        view.tool.key in tools.remembered.favourites,
        QApplication.clipboard().text(),
        tools.tool_list.search_box.hasFocus(),
        view.form.json_button.isChecked(),
    )


TOOL_KEYS = [
    shortcuts.SAVE_CALL,
    shortcuts.EARLIER_CALLS,
    shortcuts.FAVOURITE,
    shortcuts.FORM_OR_JSON,
    shortcuts.COPY_ARGUMENTS,
    shortcuts.SEARCH_TOOLS,
]


@pytest.mark.parametrize("place", ["form", "list", "run"])
@pytest.mark.parametrize("shortcut", TOOL_KEYS, ids=lambda each: each.words)
async def test_a_key_of_a_tool_works_before_any_menu_was_opened(
    window: MainWindow, core: Core, shortcut: shortcuts.Shortcut, place: str
) -> None:
    core.store.set_enabled("calculator", enabled=True)
    await core.settle()
    window.show()
    window.activateWindow()
    tools = await go_to(window, "tools")
    assert isinstance(tools, ToolsPage)
    QApplication.clipboard().setText("before")
    tools.open_call("calculator:calculate", {"operation": "add", "a": 1, "b": 2})
    await turns(6)
    assert tools.view is not None
    if place == "form":
        tools.view.form.fields.focus_first()
    else:
        (tools.view.bar.run if place == "run" else tools.tool_list.view).setFocus()
    before = seen(window)
    press(shortcut.keys[0], QApplication.focusWidget() or window)
    await turns(6)
    assert seen(window) != before
    close_what_is_open(window)
    window.hide()


@pytest.mark.parametrize(
    ("shortcut", "dialog"),
    [
        (shortcuts.ADD_SERVER, "ServerDialog"),
        (shortcuts.EDIT_SERVER, "ServerDialog"),
        (shortcuts.REMOVE_SERVER, "RemoveDialog"),
        (shortcuts.IMPORT_SERVERS, "ImportDialog"),
        (shortcuts.SHEET, "ShortcutSheet"),
    ],
    ids=lambda each: getattr(each, "words", ""),
)
async def test_a_key_of_the_servers_opens_its_dialog_and_esc_closes_that_alone(
    window: MainWindow, shortcut: shortcuts.Shortcut, dialog: str
) -> None:
    window.show()
    window.activateWindow()
    await go_to(window, "servers")
    press(shortcut.keys[0], QApplication.focusWidget() or window)
    await turns(6)
    assert opened() == dialog
    (shown,) = [one for one in QApplication.topLevelWidgets() if type(one).__name__ == dialog]
    press("Esc", shown)
    await turns(2)
    assert opened() == ""
    await active(window)
    assert where(window) == ""
    window.hide()


async def test_the_keys_of_a_page_work_from_the_rail_and_from_the_strip(
    window: MainWindow,
) -> None:
    window.show()
    window.activateWindow()
    tools = await go_to(window, "tools")
    assert isinstance(tools, ToolsPage)
    window.rail.button("tools").setFocus()
    press("Ctrl+F", window.rail.button("tools"))
    assert tools.tool_list.search_box.hasFocus()
    window.rail.button("tools").setFocus()
    press("Del", window.rail.button("tools"))  # a plain key stays where it was meant
    assert window.rail.button("tools").hasFocus()
    window.hide()


@pytest.mark.parametrize("page", ["chat", "processes", "settings", "activity"])
async def test_a_server_that_was_copied_can_be_pasted_on_every_page(
    window: MainWindow, page: str
) -> None:
    window.show()
    window.activateWindow()
    shown = await go_to(window, page)
    QApplication.clipboard().setText("just words")
    press("Ctrl+V", shown)
    assert opened() == ""
    QApplication.clipboard().setText("npx -y @scope/server-files")
    press("Ctrl+V", shown)
    await turns(4)
    (dialog,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, ServerDialog)]
    assert dialog.json.messages == ("✓ files  ·  stdio  ·  npx -y @scope/server-files",)
    close_what_is_open(window)
    window.hide()


def texts(window: MainWindow) -> list[str]:
    """What is seen: dialogs, menus, and every visible widget with words."""
    found = [type(one).__name__ for one in QApplication.topLevelWidgets() if one.isVisible()]
    for one in window.findChildren(QWidget):
        if one.isVisible():
            words: object = getattr(one, "text", None) or getattr(one, "toPlainText", None)
            found.append(f"{type(one).__name__} {words() if callable(words) else ''}")
    return found


def state(window: MainWindow, core: Core) -> tuple[object, ...]:
    """What a key can change."""
    return (
        window.current_page,
        QApplication.focusWidget(),
        QApplication.clipboard().text(),
        window.theme.zoom,
        [(each.is_enabled, each.starting_since) for each in core.service.connections.values()],
        texts(window),
    )


ON_PAGES = {
    "servers": ("SWITCH_SERVER", "SERVER_DETAILS", "RESTART_SERVER", "PASTE_SERVER"),
    "tools": (
        *("GO_TO_FORM", "RUN", "PASTE", "FORM_OR_RESULT", "PASTE_ARGUMENTS", "FIELD_MENU"),
        *("ZOOM_IN", "ZOOM_OUT", "PROTOCOL", "CLOSE_PROTOCOL"),
    ),
    "resources": ("SEARCH_OFFERS",),
    "activity": (
        *("SEARCH_HISTORY", "RUN_AGAIN", "EDIT_CALL", "KEEP_CALL", "EXPORT_CALLS"),
        *("DELETE_CALL", "DELETE_ALL_CALLS"),
    ),
    "processes": ("COPY_PID", "END_PROCESS", "RESTART_PROCESS"),
}
"""Where each key is pressed, with a server, a tool and a call there."""


def put_keyboard(window: MainWindow, tools: ToolsPage, page: str, name: str) -> None:
    """Where the key is meant to be pressed; not where it leads to."""
    assert tools.view is not None
    if name == "GO_TO_FORM":
        tools.tool_list.view.setFocus()
    elif name in {"PASTE", "FORM_OR_RESULT"}:
        tools.view.bar.run.setFocus()
    elif name == "CLOSE_PROTOCOL":
        press(shortcuts.PROTOCOL.keys[0], QApplication.focusWidget() or window)
    elif name == "FIELD_MENU":
        tools.view.form.fields.focus_first()
    elif name in {"SEARCH_OFFERS"}:
        window.rail.button(page).setFocus()


async def prepared(window: MainWindow, core: Core, page: str, name: str) -> QWidget:
    """The widget that has the keyboard, where the key has something to do."""
    tools = await go_to(window, "tools")
    assert isinstance(tools, ToolsPage)
    tools.open_call("plain:add", {"a": 1, "b": 2})
    await turns(6)
    if page == "activity":
        await core.executor.run(ToolCall("plain:add", {"a": 1, "b": 2}))
    shown = await go_to(window, page)
    QApplication.clipboard().setText(
        "npx -y @scope/server-files" if page == "servers" else '{"a": 5, "b": 6}'
    )
    if page == "activity":
        history = window.findChild(HistoryView)
        assert history is not None
        async with asyncio.timeout(LIMIT):
            while not history.list.model.rowCount():
                await turns()
        history.list.table.setFocus()
        history.list.table.setCurrentIndex(history.list.model.index(0, 0))
    elif isinstance(shown, ServersPage):
        shown.list.select("plain")
        shown.list.focus_selected()
    elif isinstance(shown, ProcessesPage):
        async with asyncio.timeout(LIMIT):
            while not shown.tree.model().rowCount():
                await turns()
        shown.tree.setFocus()
        shown.tree.setCurrentIndex(shown.tree.model().index(0, 0))
    put_keyboard(window, tools, page, name)
    await turns(6)
    return QApplication.focusWidget() or window


@pytest.mark.parametrize(
    ("page", "name"), [(page, name) for page, names in ON_PAGES.items() for name in names]
)
async def test_a_key_does_something_on_its_page(
    window: MainWindow, core: Core, page: str, name: str
) -> None:
    window.show()
    window.activateWindow()
    focused = await prepared(window, core, page, name)
    before = state(window, core)
    shortcut: shortcuts.Shortcut = getattr(shortcuts, name)
    press(shortcut.keys[0], focused)
    async with asyncio.timeout(LIMIT):
        while state(window, core) == before:
            await turns()
    close_what_is_open(window)
    window.hide()
