"""Esc empties the line, Down goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.widgets.search_fields import ActivitySearchField, FormSearchField, ToolSearchField

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


def test_escape_clears_it_and_then_leaves_it(qtbot: QtBot) -> None:
    line = FormSearchField()
    qtbot.addWidget(line)
    left: list[str] = []
    line.leave_requested.connect(lambda: left.append(line.text()))
    QTest.keyClicks(line, "abc")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert (line.text(), left) == ("", [])
    QTest.keyClick(line, Qt.Key.Key_Escape)
    QTest.keyClicks(line, "x")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(line, key)
    assert left == ["", "x", "x"]


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
