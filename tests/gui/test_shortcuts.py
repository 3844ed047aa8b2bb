"""The keys of the window: declared in one place, shown by the sheet, and none beside them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui import shortcuts
from desktop.gui.shortcut_sheet import ShortcutSheet
from desktop.gui.tools.page import ToolsPage
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow

GUI = Path(shortcuts.__file__).parent
_MAKERS = {"QShortcut", "QKeySequence", "setShortcut", "setShortcuts"}


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    yield made
    await made.close()


def _called(file: Path) -> set[str]:
    calls = [
        node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    return {ast.unparse(call.func).rpartition(".")[2] for call in calls}


def _listeners() -> list[Path]:
    files = [*GUI.rglob("*.py"), *GUI.parent.glob("features/*/gui/**/*.py")]
    return [file for file in files if file != Path(shortcuts.__file__)]


def test_keys_are_declared_in_one_module_alone() -> None:
    assert [str(file) for file in _listeners() if _called(file) & _MAKERS] == []


def test_each_declared_shortcut_is_listened_to() -> None:
    text = "\n".join(file.read_text("utf-8") for file in _listeners())
    used = set(re.findall(r"\bshortcuts\.([A-Z_]+)\b", text))
    declared = {name for name, value in vars(shortcuts).items() if value in shortcuts.ALL}
    assert declared - used == set()


async def test_every_key_that_works_somewhere_is_declared(window: MainWindow, core: Core) -> None:
    core.store.set_enabled("calculator", enabled=True)
    await core.settle()
    for page in window.page_ids:
        window.show_page(page)
        await turns(10)
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    tools.open_call("calculator:calculate", {})
    await turns()
    declared = {QKeySequence(keys).toString() for each in shortcuts.ALL for keys in each.keys}
    live = {made.key().toString() for made in window.findChildren(QShortcut)}
    for action in window.findChildren(QAction):
        live |= {keys.toString() for keys in action.shortcuts()}
    foreign = {"Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+X", "Ctrl+A"}  # of Qt's own text fields
    assert live - declared - foreign == set()
    assert len(live) > 20
    window.hide()


@pytest.mark.parametrize("key", [Qt.Key.Key_F1, Qt.Key.Key_Question])
async def test_a_key_shows_all_shortcuts_and_enter_closes_them(
    window: MainWindow, key: Qt.Key
) -> None:
    window.activateWindow()
    window.rail.button("servers").setFocus()
    QTest.keyClick(window, key)
    sheet = window.findChild(ShortcutSheet)
    assert sheet is not None
    words = [label.text() for label in sheet.findChildren(QLabel)]
    for shortcut in shortcuts.ALL:
        assert shortcut.meaning in words
        assert shortcut.label in words
    QTest.keyClick(sheet.area, Qt.Key.Key_Return)
    assert sheet.isHidden()


async def test_a_question_mark_that_is_typed_is_text(window: MainWindow) -> None:
    field = QLineEdit(window)
    field.show()
    window.activateWindow()
    field.setFocus()
    QTest.keyClicks(field, "why?")
    assert field.text() == "why?"
    assert window.findChild(ShortcutSheet) is None


async def test_a_key_that_opens_a_page_puts_the_focus_into_it_and_not_into_the_rail(
    window: MainWindow,
) -> None:
    window.activateWindow()
    window.rail.button("servers").setFocus()
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert tools.tool_list.search_box.hasFocus()
    window.rail.button("tools").setFocus()
    QTest.keyClick(window.rail.button("tools"), Qt.Key.Key_Down)
    assert window.current_page == "resources"
    assert window.rail.button("resources").hasFocus()
    window.hide()


def test_keys_are_named_as_people_read_them() -> None:
    assert shortcuts.RUN.label == "Ctrl+Enter"
    assert shortcuts.SEARCH_TOOLS.label == "Ctrl+F, /"
    assert shortcuts.PAGES.label == "Ctrl+1 … Ctrl+8"


def test_a_keypad_counts_like_the_keys_it_repeats(qapp: QApplication) -> None:
    widget = QWidget()
    seen: list[bool] = []

    class Field(QLineEdit):
        def keyPressEvent(self, event: object, /) -> None:
            seen.append(shortcuts.PRESS.matches(event))  # pyright: ignore[reportArgumentType] a QKeyEvent

    field = Field(widget)
    QTest.keyClick(field, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    widget.deleteLater()
    assert seen == [True, False, False]  # the last two are Ctrl and Ctrl+Enter


def test_keys_in_a_text_are_written_as_the_system_writes_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def on_a_mac(keys: str) -> str:
        return keys.replace("Ctrl+", "⌘")

    monkeypatch.setattr(shortcuts, "_name", on_a_mac)
    for text, named in (
        ("Find (Ctrl+F)", "Find (⌘F)"),
        ("Ctrl+Enter runs, Ctrl+J shows the form", "⌘Enter runs, ⌘J shows the form"),
        ("Next part (Ctrl+PgDown)", "Next part (⌘PgDown)"),
        ("Tools (Ctrl+2)\n3 new", "Tools (⌘2)\n3 new"),
        ("Ctrl is a key", "Ctrl is a key"),
    ):
        assert shortcuts.named_keys(text) == named
