from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from desktop.gui.widgets.text_editors import (
    MAX_LINES,
    CodeEditor,
    GrowingTextEditor,
    LaunchText,
    ResultTextEditor,
    WrappedTextEditor,
)
from tests.attacks.measure import processor_time

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def result_editor(theme: Theme, qtbot: QtBot) -> ResultTextEditor:
    made = ResultTextEditor(theme)
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show()
    return made


def test_lines_are_numbered_from_their_place_in_the_whole(result_editor: ResultTextEditor) -> None:
    result_editor.begin("a\nb\nc\nd", 100, [2])
    numbers = [result_editor.line_number(block) for block in range(4)]
    assert numbers == [100, 101, None, 102]


def test_numbers_take_room_only_when_shown(result_editor: ResultTextEditor) -> None:
    result_editor.begin("a\n" * 2000, 1, ())
    without = result_editor.viewport().x()
    result_editor.set_numbered(True)
    room = result_editor.viewport().x() - without
    assert room >= result_editor.fontMetrics().horizontalAdvance("2000")
    result_editor.begin("a\n" * 2000, 98_001, [2000])
    more = result_editor.viewport().x() - without
    assert more >= result_editor.fontMetrics().horizontalAdvance("100000")
    assert more > room
    assert not result_editor.grab().isNull()
    result_editor.verticalScrollBar().setValue(500)
    result_editor.set_numbered(False)
    assert result_editor.viewport().x() == without


def test_the_numbers_of_code_have_room_before_it_is_shown_and_after(editor: CodeEditor) -> None:
    editor.setPlainText("{\n}")
    before = editor.viewport().x()
    assert before >= editor.fontMetrics().horizontalAdvance("2")
    editor.show()
    assert editor.viewport().x() == before


def test_a_place_is_selected_and_gone_to(result_editor: ResultTextEditor) -> None:
    result_editor.begin("line\n" * 500, 1, ())
    result_editor.add("the end")
    result_editor.select(2500, 2507)
    assert result_editor.textCursor().selectedText() == "the end"
    assert result_editor.verticalScrollBar().value() > 0
    result_editor.select(10**6, 10**7)
    assert not result_editor.textCursor().hasSelection()


def test_the_font_is_monospaced_or_not(theme: Theme, result_editor: ResultTextEditor) -> None:
    result_editor.set_monospaced(False)
    proportional = result_editor.font().family()
    result_editor.set_monospaced(True)
    assert result_editor.font().family() == theme.mono_font().family() != proportional


def test_it_stays_monospaced_when_it_gets_another_parent_before_it_is_shown(
    theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    made = ResultTextEditor(theme, window)
    pages = QTabWidget(window)
    pages.addTab(made, "Text")
    pages.show()
    assert made.font().family() == theme.mono_font().family()


@pytest.mark.parametrize("text", ["a\u00a0b", "a\u2028b", "a\tb", "中é\u0301😀", "x\n\ny"])
def test_every_character_comes_back_in_text_editor(qtbot: QtBot, text: str) -> None:
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
    assert one < three < editor.height() < one * (MAX_LINES + 1)


def test_enter_adds_a_line_only_where_lines_are_expected(qtbot: QtBot) -> None:
    line, text = GrowingTextEditor(), GrowingTextEditor(3)
    for editor in (line, text):
        qtbot.addWidget(editor)
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert (line.exact_text(), text.exact_text()) == ("", "\n")
    QTest.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert line.exact_text() == "\n"


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


LONG_WORD = "x" * 200_000


@pytest.mark.parametrize("way", ["set", "inserted"])
def test_a_word_of_200_000_letters_is_laid_out_in_a_moment(qtbot: QtBot, way: str) -> None:
    editor = WrappedTextEditor()
    qtbot.addWidget(editor)
    editor.resize(400, 100)
    editor.show()
    with processor_time() as cost:
        if way == "set":
            editor.setPlainText(LONG_WORD)
        else:
            editor.textCursor().insertText(LONG_WORD)
        editor.grab()
    assert cost.processor < 1


def test_words_are_kept_whole_again_once_the_long_one_is_gone(qtbot: QtBot) -> None:
    editor = WrappedTextEditor()
    qtbot.addWidget(editor)
    before = editor.wordWrapMode()
    editor.setPlainText(f"a b {LONG_WORD} c")
    editor.textCursor().insertText("typed ")
    assert editor.wordWrapMode() != before
    editor.setPlainText("a b c")
    assert editor.wordWrapMode() == before


def test_enter_while_an_input_method_composes_breaks_no_line_of_code(editor: CodeEditor) -> None:
    editor.setPlainText("{")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QApplication.sendEvent(editor, QInputMethodEvent("ming", []))
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "\n  " not in editor.toPlainText()


@pytest.mark.parametrize("lines", [1, 2, 5])
def test_what_a_server_is_started_with_has_no_scroll_bar_where_all_is_seen(
    theme: Theme, qtbot: QtBot, lines: int
) -> None:
    text = LaunchText(theme)
    qtbot.addWidget(text)
    text.setPlainText("\n".join(["command: x"] * lines))
    high = QTextCharFormat()
    high.setFontPointSize(20)  # as the letters of another face make a line
    QTextCursor(text.document().firstBlock()).insertText("注", high)
    text.fit(200)
    text.resize(400, text.maximumHeight())
    with qtbot.waitExposed(text):
        text.show()
    assert text.verticalScrollBar().maximum() == 0
