"""A walk over every page and dialog: no control that approves or destroys answers a stray key.

Each widget that takes the focus loses it as in real use, hidden or disabled; then space and Enter
are pressed where the focus went. What is dangerous is told by its words, not by its guard, so a
new button is found, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QTabWidget, QWidget

from desktop.base.paths import Paths
from desktop.config.models import ServerConfig
from desktop.core import build_core
from desktop.gui.servers.page import ServersPage
from desktop.gui.settings.approvals_section import ApprovalRow
from desktop.values.tool_types import ToolCall
from tests.gui.every_dialog import DIALOGS, PAGES
from tests.gui.waiting import turns
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme

SUM = {"operation": "add", "a": 1, "b": 2}
_DANGEROUS = (
    "accept", "agree", "allow", "always", "answer by hand", "clear", "decline", "delete", "deny",
    "discard", "end ", "forget", "i'm done", "import 1 server", "kill", "let the model", "never",
    "open in browser", "refuse", "remove", "send a", "yes",
)  # fmt: skip


def _words(control: QWidget) -> str:
    text = control.text() if isinstance(control, QAbstractButton) else ""
    return (text or control.accessibleName() or control.toolTip()).replace("&", "").lower()


def _is_dangerous(control: QWidget) -> bool:
    if isinstance(control, QComboBox):
        return isinstance(control.parentWidget(), ApprovalRow)
    return isinstance(control, QAbstractButton) and _words(control).startswith(_DANGEROUS)


def _takes_focus(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes and widget.isVisible() and widget.isEnabled()


def _dangers(root: QWidget) -> list[QWidget]:
    return [control for control in root.findChildren(QWidget) if _is_dangerous(control)]


class _Walk:
    """What went wrong on the way through one page or dialog."""

    def __init__(self, root: QWidget) -> None:
        self.root = root
        self.found: list[str] = []
        self.steps = 0
        self._dangers = _dangers(root)
        self._pressed: list[str] = []
        for control in self._dangers:
            self._note(control)

    def _note(self, control: QWidget) -> None:
        def note() -> None:
            self._pressed.append(_words(control))

        if isinstance(control, QAbstractButton):
            control.clicked.connect(note)
        elif isinstance(control, QComboBox):
            control.activated.connect(note)

    def take(self) -> None:
        others = [
            button
            for button in self.root.findChildren(QAbstractButton)
            if button not in self._dangers
        ]
        for button in others:
            button.blockSignals(True)  # they are pressed, too, but must not change the page
        for widget in [w for w in self.root.findChildren(QWidget) if _takes_focus(w)]:
            self._lose(widget, QWidget.hide, QWidget.show)
            self._lose(widget, lambda w: w.setEnabled(False), lambda w: w.setEnabled(True))
        for button in others:
            button.blockSignals(False)

    def _lose(
        self, widget: QWidget, go: Callable[[QWidget], None], back: Callable[[QWidget], None]
    ) -> None:
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        if not widget.hasFocus():
            return
        self.steps += 1
        go(widget)
        focus = QApplication.focusWidget()
        where = f"{type(widget).__name__} {_words(widget)!r}"
        if focus is not None and focus.isVisible() and _is_dangerous(focus):
            self.found.append(f"{where} left the focus to {_words(focus)!r}")
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
            if (target := QApplication.focusWidget()) is not None:
                QTest.keyClick(target, key)
        self.found += [f"{where}: a key pressed {words!r}" for words in self._pressed]
        self._pressed.clear()
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        back(widget)


def _walk(root: QWidget) -> _Walk:
    root.window().activateWindow()
    assert QTest.qWaitForWindowActive(root.window())
    walk = _Walk(root)
    walk.take()
    return walk


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.set_enabled("calculator", enabled=True)
    made.store.add_server(
        ServerConfig(name="mine", command="nothing", enabled=False, env={"A": "1", "B": "2"})
    )
    await made.settle()
    await made.approvals.decide(tool("read"), "always")
    await made.approvals.decide(tool("write"), "never")
    yield made
    await made.close()


@pytest.mark.parametrize("page", PAGES)
async def test_no_page_gives_a_stray_key_to_what_approves_or_destroys(
    window: MainWindow, core: Core, page: str
) -> None:
    window.show_page(page)
    await turns(10)
    await core.executor.run(ToolCall("calculator:calculate", SUM))  # something to clear
    shown = window.page(page)
    assert shown is not None
    if isinstance(shown, ServersPage):
        shown.list.select("mine")
    await turns(10)
    tabs = shown.findChildren(QTabWidget)
    steps = 0
    for index in range(tabs[0].count() if tabs and page == "activity" else 1):
        if tabs and page == "activity":
            tabs[0].setCurrentIndex(index)
            await turns(10)
        walk = _walk(shown)
        steps += walk.steps
        assert walk.found == []
    assert steps > 0


@pytest.mark.parametrize("made", DIALOGS)
async def test_no_dialog_gives_a_stray_key_to_what_approves_or_destroys(
    qtbot: QtBot, theme: Theme, core: Core, made: str
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(800, 600)
    parent.show()
    dialog = DIALOGS[made](parent, theme, core)
    dialog.show()
    await turns(10)
    focus = QApplication.focusWidget()
    assert focus is None or not _is_dangerous(focus)
    walk = _walk(dialog)
    assert walk.steps > 0
    assert walk.found == []
