from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.code_editor import CodeEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def editor(qtbot: QtBot, theme: Theme) -> CodeEditor:
    made = CodeEditor(theme)
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


@pytest.mark.parametrize(
    ("before", "after", "then"),
    [
        ("{", "}", "{\n  \n}"),
        ("  [", "", "  [\n    "),
        ('  "a": 1,', "", '  "a": 1,\n  '),
        ("", "", "\n"),
        ("", '  "a"', '\n  "a"'),
    ],
)
def test_enter_indents(editor: CodeEditor, before: str, after: str, then: str) -> None:
    editor.setPlainText(before + after)
    cursor = editor.textCursor()
    cursor.setPosition(len(before))
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == then


def test_every_character_comes_back(editor: CodeEditor) -> None:
    text = "a\u00a0b\tc\n你好"
    editor.setPlainText(text)
    assert editor.exact_text() == text


def test_marked_lines_look_different(editor: CodeEditor) -> None:
    editor.setPlainText("one\ntwo\nthree")
    plain = editor.grab().toImage()
    editor.mark({1: "danger"})
    wrong = editor.grab().toImage()
    editor.mark({1: "warning"})
    odd = editor.grab().toImage()
    editor.mark({})
    assert plain != wrong != odd
    assert editor.grab().toImage() == plain


def test_it_leads_to_a_place_even_beyond_its_end(editor: CodeEditor) -> None:
    editor.setPlainText("one\ntwo")
    editor.go_to(5)
    assert editor.textCursor().blockNumber() == 1
    editor.go_to(99)
    assert editor.textCursor().position() == 7
