from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.results.page_bar import PageBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_pages_are_turned_within_their_number(theme: Theme, qtbot: QtBot) -> None:
    bar = PageBar(theme)
    qtbot.addWidget(bar)
    turned: list[int] = []
    bar.turned.connect(turned.append)
    bar.set_pages(3, "3 MB")
    assert bar.words.text() == "Part 1 of 3, 3 MB in all"
    assert not bar.previous.isEnabled()
    for button in (bar.following, bar.following, bar.previous):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    bar.go_to(2)
    bar.turn(1)
    assert turned == [1, 2, 1, 2]
    assert not bar.following.isEnabled()


def test_one_page_needs_no_bar(theme: Theme, qtbot: QtBot) -> None:
    bar = PageBar(theme)
    qtbot.addWidget(bar)
    bar.set_pages(1, "")
    assert bar.isHidden()
