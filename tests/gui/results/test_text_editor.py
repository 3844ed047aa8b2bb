from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QTabWidget, QWidget

from desktop.gui.results.text_editor import ResultTextEditor

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
    numbers = [result_editor.number_of(block) for block in range(4)]
    assert numbers == [100, 101, None, 102]


def test_numbers_take_room_only_when_shown(result_editor: ResultTextEditor) -> None:
    result_editor.begin("a\n" * 2000, 1, ())
    assert result_editor.numbers_width() == 0
    result_editor.set_numbered(True)
    assert result_editor.numbers.isVisible()
    assert result_editor.viewport().x() >= result_editor.numbers_width() > 0
    assert not result_editor.grab().isNull()
    result_editor.verticalScrollBar().setValue(500)
    result_editor.set_numbered(False)
    assert not result_editor.numbers.isVisible()


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
