from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.main_window import MainWindow
from desktop.gui.previous_run import show_swept
from desktop.gui.window_state import WindowState
from desktop.processes.sweep import Swept

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(theme, WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(made)
    yield made
    made.finish()


def test_what_was_ended_is_told_with_its_owners(window: MainWindow) -> None:
    show_swept(window, [Swept("files", 7, "node", True), Swept("git", 8, "python", True)])
    assert window.banners.messages == (
        "2 processes left by a previous run were ended: files (PID 7), git (PID 8)",
    )


def test_what_cannot_be_ended_is_an_error_of_its_own(window: MainWindow) -> None:
    show_swept(window, [Swept("files", 7, "node", True), Swept("git", 8, "python", False)])
    assert window.banners.messages == (
        "1 process left by a previous run was ended: files (PID 7)",
        "Left by a previous run and cannot be ended: git (PID 8)",
    )


def test_nothing_is_told_of_nothing(window: MainWindow) -> None:
    show_swept(window, [])
    assert window.banners.messages == ()
