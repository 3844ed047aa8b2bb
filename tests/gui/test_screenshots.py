from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from desktop.gui.main_window import MainWindow
from desktop.gui.rail import SERVERS, TOOLS
from desktop.gui.screenshots import grab_pages
from desktop.gui.window_state import WindowState

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> MainWindow:
    made = MainWindow(theme, WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(made)
    made.add_page("servers", SERVERS, "servers", lambda: QLabel("servers"))
    made.add_page("tools", TOOLS, "tools", lambda: QLabel("tools"))
    made.open_pages()
    made.show()
    return made


def test_each_page_is_pictured_in_light_and_dark(window: MainWindow, tmp_path: Path) -> None:
    pictures = grab_pages(window, tmp_path / "pictures")
    shades = {path.name: QImage(str(path)).pixelColor(5, 5).lightness() for path in pictures}
    window.finish()

    assert sorted(shades) == [
        "servers-dark.png",
        "servers-light.png",
        "tools-dark.png",
        "tools-light.png",
    ]
    assert shades["tools-dark.png"] < 64 < 192 < shades["tools-light.png"]


def test_the_window_is_left_as_it_was(window: MainWindow, tmp_path: Path) -> None:
    window.show_page("tools")
    grab_pages(window, tmp_path)
    window.finish()

    assert (window.current_page, window.theme.scheme) == ("tools", "light")


def test_a_folder_that_cannot_be_written_is_said(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        grab_pages(window, tmp_path / "file")
    window.finish()
