from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.text_editor import MOST_LINES, GrowingTextEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize("text", ["a\u00a0b", "a\u2028b", "a\tb", "中é\u0301😀", "x\n\ny"])
def test_every_character_comes_back(qtbot: QtBot, text: str) -> None:
    editor = GrowingTextEditor()
    qtbot.addWidget(editor)
    editor.setPlainText(text)
    assert editor.exact_text() == text


def test_it_grows_with_its_text_up_to_a_limit(qtbot: QtBot) -> None:
    editor = GrowingTextEditor()
    qtbot.addWidget(editor)
    editor.show()
    one = editor.height()
    editor.setPlainText("a\nb\nc")
    three = editor.height()
    editor.setPlainText("a\n" * 1000)
    assert one < three < editor.height() < one * (MOST_LINES + 1)


def test_enter_adds_a_line_only_where_lines_are_expected(qtbot: QtBot) -> None:
    line, text = GrowingTextEditor(), GrowingTextEditor(3)
    for editor in (line, text):
        qtbot.addWidget(editor)
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert (line.exact_text(), text.exact_text()) == ("", "\n")
    QTest.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert line.exact_text() == "\n"
