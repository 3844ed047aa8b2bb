from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.gui.tools.list_hint import ListHint

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_the_step_is_a_button(qtbot: QtBot) -> None:
    hint = ListHint()
    hint.set_text("Nothing", "Because.", "Do something")
    qtbot.addWidget(hint)
    asked: list[None] = []
    hint.wanted.connect(lambda: asked.append(None))
    QTest.mouseClick(hint.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert asked == [None]
    assert [label.text() for label in hint.findChildren(QLabel)] == ["Nothing", "Because."]
