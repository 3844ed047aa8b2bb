from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.tools.search_box import ToolSearchField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_arrow_keys_are_passed_on_and_letters_are_typed(qtbot: QtBot) -> None:
    box = ToolSearchField()
    qtbot.addWidget(box)
    moved: list[Qt.Key] = []
    box.moved.connect(moved.append)
    QTest.keyClicks(box, "ab")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown):
        QTest.keyClick(box, key)
    assert box.text() == "ab"
    assert moved == [Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown]


def test_escape_clears_it(qtbot: QtBot) -> None:
    box = ToolSearchField()
    qtbot.addWidget(box)
    QTest.keyClicks(box, "ab")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == ""
