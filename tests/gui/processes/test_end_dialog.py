from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.processes.end_dialog import EndDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def test_cancel_is_the_default_and_only_a_click_on_the_button_accepts(
    qtbot: QtBot, theme: Theme
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    accepted: list[str] = []
    for key in ("return", "click"):
        dialog = EndDialog(parent, "End <b>x</b>?", "It goes on.")
        dialog.accepted.connect(lambda key=key: accepted.append(key))
        dialog.open()
        assert dialog.question.textFormat() == Qt.TextFormat.PlainText
        if key == "return":
            QTest.keyClick(dialog, Qt.Key.Key_Return)
        else:
            QTest.mouseClick(dialog.end, Qt.MouseButton.LeftButton)
    assert accepted == ["click"]
