"""Whole calls by keyboard alone: a real server, the real executor, the page as it is."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.base.paths import Paths
from desktop.core import Core, build_core
from desktop.gui.tools.page import ToolsPage
from desktop.processes.tracker import McpProcessTracker
from tests.gui.focus import focused
from tests.gui.tools.fakes import after
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.gui.tools.tool_view import ToolView

CONTROL = Qt.KeyboardModifier.ControlModifier
BOTH = CONTROL | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
async def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Core]:
    monkeypatch.setattr(McpProcessTracker, "_instance", McpProcessTracker())
    program, args = command("plain")
    entry = {"command": program, "args": args}
    paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
    paths.config.write_text(json.dumps({"mcpServers": {"plain": entry}}), "utf-8")
    built = build_core(paths, {**os.environ, "SHELL": "/bin/sh"})
    built.follow_store()
    async with asyncio.timeout(LIMIT):
        await built.settle()
    yield built
    await built.close()


@pytest.fixture
def page(core: Core, theme: Theme, tmp_path: Path, qtbot: QtBot) -> ToolsPage:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    made = ToolsPage(
        core.registry, core.executor, theme, settings, server_of=core.store.servers.get
    )
    qtbot.addWidget(made)
    made.resize(1100, 800)
    made.show()
    made.activateWindow()
    return made


def press(key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focused(), key, held)


def choose(page: ToolsPage, name: str) -> ToolView:
    """By the search, into its first field."""
    page.setFocus()
    press(Qt.Key.Key_F, CONTROL)
    QTest.keyClicks(focused(), name)
    press(Qt.Key.Key_Return)
    assert page.view is not None
    return page.view


def go_to(name: str) -> None:
    """Tab on to the field of this name."""
    for _ in range(40):
        if focused().accessibleName().startswith(name):
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {name}")


async def run(view: ToolView) -> str:
    """Ctrl+Enter, and what comes back."""
    await after(view.running_changed, lambda: press(Qt.Key.Key_Return, CONTROL))
    await after(view.running_changed, lambda: None)
    assert view.result is not None
    return view.result.text.editor.toPlainText()


async def test_numbers_are_filled_in_and_added(page: ToolsPage) -> None:
    view = choose(page, "add")
    QTest.keyClicks(focused(), "19")
    go_to("b,")
    QTest.keyClicks(focused(), "23.5")
    assert await run(view) == "42.5"


async def test_what_is_missing_is_said_then_filled_in_then_sent(page: ToolsPage) -> None:
    view = choose(page, "add")
    press(Qt.Key.Key_Return, CONTROL)
    assert view.issues.words.text() == "Not sent. 2 things to correct."
    assert focused().accessibleName().startswith("a,")
    QTest.keyClicks(focused(), "1")
    press(Qt.Key.Key_Return, CONTROL)
    assert focused().accessibleName().startswith("b,")
    QTest.keyClicks(focused(), "2")
    assert await run(view) == "3"
    assert view.issues.isHidden()


async def test_json_is_written_run_and_read_back_in_the_form(page: ToolsPage) -> None:
    view = choose(page, "echo")
    press(Qt.Key.Key_J, CONTROL)
    press(Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(focused(), '{"message": ')
    press(Qt.Key.Key_J, CONTROL)
    assert view.form.shows_json
    QTest.keyClicks(focused(), '"hi"}')
    assert await run(view) == "hi"
    press(Qt.Key.Key_J, CONTROL)
    assert not view.form.shows_json
    QTest.keyClicks(focused(), "!")
    assert "!" in await run(view)


async def test_a_request_is_pasted_and_run_and_copied_as_a_program_that_runs(
    page: ToolsPage, tmp_path: Path
) -> None:
    view = choose(page, "echo")
    copied = {"method": "tools/call", "params": {"name": "echo", "arguments": {"message": "so"}}}
    QApplication.clipboard().setText(json.dumps(copied))
    press(Qt.Key.Key_V, BOTH)
    assert await run(view) == "so"
    view.menu.offer_requested.emit()
    view.menu.copy_actions["python"].trigger()
    program = tmp_path / "call.py"
    program.write_text(QApplication.clipboard().text(), "utf-8")
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, str(program)], capture_output=True, text=True, timeout=50
    )
    assert (done.returncode, done.stdout) == (0, "so\n"), done.stderr
