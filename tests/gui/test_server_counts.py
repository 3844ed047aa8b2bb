"""The line at the bottom says how many servers are connected and how many tools there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QLabel

from desktop.core import build_core
from desktop.gui.main_window import MainWindow
from desktop.gui.server_counts import ServerCounts
from desktop.gui.theme import Theme
from desktop.gui.window_state import WindowState
from desktop.paths import Paths

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


async def test_the_line_follows_the_servers(qtbot: QtBot, tmp_path: Path) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    window = MainWindow(Theme(application), WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(window)
    core = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {})
    ServerCounts(window, core.service)
    assert shown(window) == "No server is switched on"
    core.follow_store()
    core.store.set_enabled("calculator", enabled=True)
    assert shown(window).startswith("0 of 1 server connected")
    await core.settle()
    assert shown(window) == "1 of 1 server connected  ·  2 tools"
    await core.close()
    assert shown(window).startswith("0 of 1 server connected")


def shown(window: MainWindow) -> str:
    texts = (label.text() for label in window.findChildren(QLabel))
    return next(text for text in texts if "server" in text)
