"""A question is plain text, and only its own button says yes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_enter_cancels_and_only_the_button_says_yes(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    answers: list[int] = []
    for press_yes in (False, True):
        dialog = QuestionDialog(window, "End <b>x</b>?", "It is gone then. " * 5, "End")
        dialog.finished.connect(answers.append)
        dialog.open()
        assert dialog.question.textFormat() == Qt.TextFormat.PlainText
        assert dialog.cancel.icon().isNull()
        question = dialog.question
        assert question.height() == question.heightForWidth(question.width())
        if press_yes:
            QTest.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert answers == [0, 1]
