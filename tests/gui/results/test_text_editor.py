from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QTabWidget, QWidget

from desktop.gui.results.text_editor import TextEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def editor(theme: Theme, qtbot: QtBot) -> TextEditor:
    made = TextEditor(theme)
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show()
    return made


def test_lines_are_numbered_from_their_place_in_the_whole(editor: TextEditor) -> None:
    editor.begin("a\nb\nc\nd", 100, [2])
    numbers = [editor.number_of(block) for block in range(4)]
    assert numbers == [100, 101, None, 102]


def test_numbers_take_room_only_when_shown(editor: TextEditor) -> None:
    editor.begin("a\n" * 2000, 1, ())
    assert editor.numbers_width() == 0
    editor.set_numbered(True)
    assert editor.numbers.isVisible()
    assert editor.viewport().x() >= editor.numbers_width() > 0
    assert not editor.grab().isNull()
    editor.verticalScrollBar().setValue(500)
    editor.set_numbered(False)
    assert not editor.numbers.isVisible()


def test_a_place_is_selected_and_gone_to(editor: TextEditor) -> None:
    editor.begin("line\n" * 500, 1, ())
    editor.add("the end")
    editor.select(2500, 2507)
    assert editor.textCursor().selectedText() == "the end"
    assert editor.verticalScrollBar().value() > 0
    editor.select(10**6, 10**7)
    assert not editor.textCursor().hasSelection()


def test_the_font_is_monospaced_or_not(theme: Theme, editor: TextEditor) -> None:
    editor.set_monospaced(False)
    proportional = editor.font().family()
    editor.set_monospaced(True)
    assert editor.font().family() == theme.mono_font().family() != proportional


def test_it_stays_monospaced_when_it_gets_another_parent_before_it_is_shown(
    theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    made = TextEditor(theme, window)
    pages = QTabWidget(window)
    pages.addTab(made, "Text")
    pages.show()
    assert made.font().family() == theme.mono_font().family()
