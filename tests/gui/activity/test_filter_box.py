"""Esc empties the line, Down goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.activity.filter_box import ActivitySearchField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_keys_of_the_line(qtbot: QtBot) -> None:
    box = ActivitySearchField()
    qtbot.addWidget(box)
    moved: list[str] = []
    box.moved_down.connect(lambda: moved.append("down"))
    QTest.keyClicks(box, "abc")
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert (box.text(), moved) == ("abc", ["down"])
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == ""
