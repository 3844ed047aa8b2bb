from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit

from desktop.gui.results.text_view import TextView

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TextView:
    made = TextView(theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    made.activateWindow()
    return made


def test_markup_is_shown_as_it_is(view: TextView) -> None:
    view.show_text("<b>bold</b> <img src='http://x/y.png'>")
    assert view.editor.toPlainText() == "<b>bold</b> <img src='http://x/y.png'>"
    assert view.editor.isReadOnly()


def test_a_long_text_starts_short_and_comes_in_parts(view: TextView, qtbot: QtBot) -> None:
    text = "a line of text\n" * 100_000
    view.show_text(text)
    shown = len(view.editor.toPlainText())
    assert shown < len(text) // 10
    qtbot.waitUntil(lambda: "not shown" in view.note.text())
    assert len(view.editor.toPlainText()) < len(text) // 4
    QTest.mouseClick(view.more, LEFT)
    qtbot.waitUntil(lambda: not view.more.isVisible())
    assert view.editor.toPlainText() == text


def test_copy_all_takes_what_is_not_shown_too(view: TextView) -> None:
    text = "x" * 1_000_000
    view.show_text(text)
    QTest.mouseClick(view.copy_all, LEFT)
    assert QGuiApplication.clipboard().text() == text
    assert "broken" in view.note.text()


def test_control_f_finds_and_escape_closes(view: TextView) -> None:
    view.show_text("one\ntwo\none more")
    QTest.keyClick(view.editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert view.find_bar.isVisible()
    QTest.keyClicks(view.find_bar.field, "more")
    assert view.editor.textCursor().selectedText() == "more"
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Escape)
    assert not view.find_bar.isVisible()


def test_wrapping_is_a_switch(view: TextView) -> None:
    QTest.mouseClick(view.wrap, LEFT)
    assert view.editor.lineWrapMode() == QPlainTextEdit.LineWrapMode.NoWrap


def test_saving_writes_the_whole_text(view: TextView, tmp_path: Path) -> None:
    text = "ü line\n" * 200_000
    view.show_text(text, "tool")
    QTest.mouseClick(view.save, LEFT)
    dialog = view.findChildren(QFileDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "out.txt"))
    dialog.reject()
    assert (tmp_path / "out.txt").read_bytes() == text.encode()
