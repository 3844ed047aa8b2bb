from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from desktop.gui.results.saving import SaveDialog
from desktop.gui.results.text_view import Cap, PageBar, TextView
from desktop.gui.results.view_settings import ViewSettings
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_pages_are_turned_within_their_number(theme: Theme, qtbot: QtBot) -> None:
    bar = PageBar(theme)
    qtbot.addWidget(bar)
    turned: list[int] = []
    bar.page_requested.connect(turned.append)
    bar.set_pages(3, "3 MB")
    assert bar.words.text() == "Part 1 of 3, 3 MB in total"
    assert not bar.previous.isEnabled()
    for button in (bar.following, bar.following, bar.previous):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    bar.go_to(2)
    bar.turn(1)
    assert turned == [1, 2, 1, 2]
    assert not bar.following.isEnabled()


def test_one_page_needs_no_bar(theme: Theme, qtbot: QtBot) -> None:
    bar = PageBar(theme)
    qtbot.addWidget(bar)
    bar.set_pages(1, "")
    assert bar.isHidden()


LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


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
    assert view.markdown is None


@pytest.mark.parametrize("width", [250, 333, 480])
def test_the_last_line_of_a_text_among_others_is_seen_whole(view: TextView, width: int) -> None:
    view.resize(width, 400)
    view.set_cap(Cap(300))
    view.show_text("Here are 3 resource links to resources available in this server:")
    QApplication.processEvents()
    editor = view.editor
    assert editor.verticalScrollBar().maximum() == 0
    editor.moveCursor(QTextCursor.MoveOperation.End)
    assert editor.cursorRect().bottom() <= editor.viewport().height()


def test_a_long_text_comes_in_parts_and_pages(view: TextView, qtbot: QtBot) -> None:
    text = "a line of text\n" * 100_000
    view.show_text(text)
    assert len(view.editor.toPlainText()) < len(text) // 10
    qtbot.waitUntil(lambda: view.is_complete)
    first = view.editor.toPlainText()
    assert view.pages.words.text() == "Part 1 of 2, 1.5 MB in total"
    QTest.keyClick(view.editor, Qt.Key.Key_PageDown, CTRL)
    qtbot.waitUntil(lambda: view.is_complete)
    assert first + view.editor.toPlainText() == text
    QTest.keyClick(view.editor, Qt.Key.Key_PageUp, CTRL)
    assert view.pages.page == 0


def test_the_search_goes_through_the_whole_text(view: TextView, qtbot: QtBot) -> None:
    view.show_text("a line 😀\r\n" * 300_000 + "the Needle is here")
    QTest.keyClick(view.editor, Qt.Key.Key_F, CTRL)
    QTest.keyClicks(view.find_bar.field, "needle")
    qtbot.waitUntil(lambda: view.editor.textCursor().selectedText() == "Needle")
    assert view.pages.page == 3
    qtbot.waitUntil(lambda: view.find_bar.state.text() == "1 of 1")


def test_a_match_in_a_broken_line_is_selected(view: TextView, qtbot: QtBot) -> None:
    view.show_text("x" * 250_000 + "needle" + "x" * 1000)
    view.find_bar.open_bar()
    QTest.keyClicks(view.find_bar.field, "needle")
    qtbot.waitUntil(lambda: view.editor.textCursor().selectedText() == "needle")
    assert "wrapped" in view.note.text()


def test_copy_all_takes_what_is_not_shown_too(view: TextView) -> None:
    text = "x" * 1_500_000
    view.show_text(text)
    QTest.mouseClick(view.copy_all, LEFT)
    assert QGuiApplication.clipboard().text() == text


def test_control_f_finds_and_escape_closes(view: TextView) -> None:
    view.show_text("one\ntwo\none more")
    QTest.keyClick(view.editor, Qt.Key.Key_F, CTRL)
    assert view.find_bar.isVisible()
    QTest.keyClicks(view.find_bar.field, "more")
    assert view.editor.textCursor().selectedText() == "more"
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Escape)
    assert not view.find_bar.isVisible()


def test_how_it_is_read_is_one_choice_for_all_views(theme: Theme, qtbot: QtBot) -> None:
    reading = ViewSettings()
    views = [TextView(theme, reading=reading) for _ in range(2)]
    for view in views:
        qtbot.addWidget(view)
        view.show()
    views[0].wrap.trigger()
    views[0].numbers.trigger()
    views[0].monospaced.trigger()
    for view in views:
        assert view.editor.lineWrapMode() == QPlainTextEdit.LineWrapMode.NoWrap
        assert view.editor.shows_numbers
        assert view.editor.font().family() != theme.mono_font().family()
    assert (reading["wraps"], reading["numbers"], reading["monospaced"]) == (False, True, False)


def test_markdown_is_shown_on_request_and_not_for_the_next_text(view: TextView) -> None:
    view.show_text("# Title")
    QTest.mouseClick(view.as_markdown, LEFT)
    assert view.markdown is not None
    assert view.markdown.page.toPlainText() == "Title"
    assert not view.editor.isVisible()
    view.show_text("# Another")
    assert view.editor.isVisible()
    assert not view.markdown.isVisible()
    assert view.editor.toPlainText() == "# Another"


@pytest.mark.parametrize(("text", "is_offered"), [('["a", 1]\n["b", 2]', False), ("[a](b)", True)])
def test_markdown_is_offered_for_no_lines_of_json(
    view: TextView, text: str, is_offered: bool
) -> None:
    view.show_text(text)
    assert view.as_markdown.isVisible() == is_offered


def test_what_is_too_long_for_markdown_stays_text(view: TextView) -> None:
    view.show_text("word " * 100_000)
    QTest.mouseClick(view.as_markdown, LEFT)
    assert view.markdown is not None
    assert "too long" in view.markdown.refusal.text()
    assert view.editor.isVisible()


def test_one_of_several_texts_is_chosen(view: TextView) -> None:
    view.show_texts([("All", "one\ntwo"), ("First", "one"), ("Second", "two")])
    assert view.chooser.isVisible()
    QTest.keyClick(view.chooser, Qt.Key.Key_End)
    assert view.editor.toPlainText() == "two"
    view.show_text("alone")
    assert not view.chooser.isVisible()


async def test_saving_writes_the_whole_text(view: TextView, tmp_path: Path) -> None:
    text = "ü line\n" * 200_000
    view.show_text(text, "tool")
    QTest.mouseClick(view.save, LEFT)
    dialog = view.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "out.txt"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert (tmp_path / "out.txt").read_bytes() == text.encode()
