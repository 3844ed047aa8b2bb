"""A walk over every page and dialog as assistive technology sees them, through `QAccessible`.

Whatever takes the focus has a name and a role; a name is more than a symbol. Seen on the same walk:
of the buttons beside each other, one at most is filled.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.base.paths import Paths
from desktop.config.models import ServerConfig
from desktop.core import build_core
from desktop.gui.servers.page import ServersPage
from desktop.gui.shortcut_sheet import show_sheet
from desktop.gui.theme.tokens import PROPERTY
from desktop.gui.tools.page import ToolsPage
from desktop.values.tool_types import ToolCall
from tests.gui.every_dialog import DIALOGS, PAGES
from tests.gui.focus import where
from tests.gui.tools.fakes import after
from tests.gui.waiting import turns
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from PySide6.QtGui import QAccessibleInterface
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme

SUM = {"operation": "add", "a": 1, "b": 2}
_NO_ROLE = {QAccessible.Role.NoRole, QAccessible.Role.Client}


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.set_enabled("calculator", enabled=True)
    made.store.add_server(ServerConfig(name="mine", command="nothing", enabled=False))
    await made.settle()
    await made.approvals.decide(tool("read"), "always")
    await made.executor.run(ToolCall("calculator:calculate", SUM))
    yield made
    await made.close()


def _focusable(root: QWidget) -> Iterator[QWidget]:
    for widget in (root, *root.findChildren(QWidget)):
        takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if takes and widget.isVisible() and widget.focusProxy() is None:
            yield widget


def _interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None, widget
    return found


def _is_pane(widget: QWidget) -> bool:
    """What only holds other controls, or scrolls; Qt has no better role for it."""
    return isinstance(widget, QScrollArea) or any(
        widget.isAncestorOf(other) for other in _focusable(widget) if other is not widget
    )


def nameless(root: QWidget) -> list[str]:
    """The controls of which a screen reader would say nothing."""
    found: list[str] = []
    for widget in _focusable(root):
        seen = _interface(widget)
        name = seen.text(QAccessible.Text.Name)
        if not any(letter.isalnum() for letter in name):
            found.append(f"{where(widget)}: {name!r}")
        elif seen.role() in _NO_ROLE and not _is_pane(widget):
            found.append(f"{where(widget)}: {name!r} has the role {seen.role()}")
    return found


def rivals(root: QWidget) -> list[str]:
    """Filled buttons beside each other: which of them is the one to press?"""
    filled = [
        (button, button.mapTo(root, QPoint(0, 0)).y())
        for button in root.findChildren(QAbstractButton)
        if button.isVisible() and "primary" in str(button.property(PROPERTY)).split()
    ]
    return [
        f"{where(one)}: {one.text()!r} beside {other.text()!r}"
        for (one, top), (other, below) in combinations(filled, 2)
        if max(top, below) < min(top + one.height(), below + other.height())
    ]


async def _walk_tabs(root: QWidget) -> list[str]:
    """What is nameless in any tab of any tab widget, and what is filled beside another."""
    found = nameless(root) + rivals(root)
    for tabs in [tabs for tabs in root.findChildren(QTabWidget) if tabs.isVisible()]:
        before = tabs.currentIndex()
        for index in range(tabs.count()):
            if tabs.isTabVisible(index):
                tabs.setCurrentIndex(index)
                await turns(15)
                found += nameless(tabs) + rivals(root)
        tabs.setCurrentIndex(before)
        await turns(5)
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("page", PAGES)
async def test_every_control_of_a_page_has_a_name_and_one_of_a_header_is_filled(
    window: MainWindow, core: Core, page: str
) -> None:
    window.show_page(page)
    await turns(15)
    shown = window.page(page)
    assert shown is not None
    if isinstance(shown, ServersPage):
        shown.list.select("calculator")
    if isinstance(shown, ToolsPage):
        shown.open_call("calculator:calculate", SUM)
        assert shown.view is not None
        await after(shown.view.running_changed, shown.view.run)
        await after(shown.view.running_changed, lambda: None)
    await turns(15)
    assert list(_focusable(shown))
    assert await _walk_tabs(shown) == []
    assert nameless(window.rail) == []
    await turns(15)
    window.hide()


@pytest.mark.parametrize("made", DIALOGS)
async def test_every_control_of_a_dialog_has_a_name_and_one_of_a_row_is_filled(
    qtbot: QtBot, theme: Theme, core: Core, made: str
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(800, 600)
    parent.show()
    dialog = DIALOGS[made](parent, theme, core)
    dialog.show()
    await turns(10)
    assert list(_focusable(dialog))
    assert await _walk_tabs(dialog) == []


async def test_the_sheet_of_shortcuts_names_what_it_shows(window: MainWindow, core: Core) -> None:
    sheet = show_sheet(window)
    await turns(5)
    assert nameless(sheet) == []
    sheet.reject()
    await turns(5)
    window.hide()


async def test_a_control_without_a_name_is_found(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    column = QVBoxLayout(root)
    named, symbol, line = QPushButton("Run"), QPushButton("⋯"), QLineEdit()
    for widget in (named, symbol, line):
        column.addWidget(widget)
    root.show()
    assert [words.partition(" ")[0] for words in nameless(root)] == ["QPushButton", "QLineEdit"]
