from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.filter_line import FormSearchField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_escape_clears_it_and_then_leaves_it(qtbot: QtBot) -> None:
    line = FormSearchField()
    qtbot.addWidget(line)
    left: list[str] = []
    line.left.connect(lambda: left.append(line.text()))
    QTest.keyClicks(line, "abc")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert (line.text(), left) == ("", [])
    QTest.keyClick(line, Qt.Key.Key_Escape)
    QTest.keyClicks(line, "x")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(line, key)
    assert left == ["", "x", "x"]
