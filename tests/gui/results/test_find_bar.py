from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from desktop.gui.results.find_bar import FindBar
from desktop.gui.results.text_search import places

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

TEXT = "one two one two one"


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def bar(theme: Theme, window: QWidget) -> FindBar:
    made = FindBar(theme, lambda words: places(TEXT, words), window)
    QVBoxLayout(window).addWidget(made)
    window.show()
    made.open_bar()
    return made


@pytest.fixture
def reached(bar: FindBar) -> list[object]:
    seen: list[object] = []
    bar.reached.connect(seen.append)
    return seen


def look_for(bar: FindBar, words: str, qtbot: QtBot) -> None:
    QTest.keyClicks(bar.field, words)
    qtbot.waitUntil(lambda: not bar.matches.is_looking)


def test_enter_goes_on_and_round_and_shift_enter_back(
    bar: FindBar, reached: list[object], qtbot: QtBot
) -> None:
    look_for(bar, "one", qtbot)
    reached.clear()
    for _ in range(3):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert reached == [8, 16, 0, 16]
    assert bar.state.text() == "3 of 3"


def test_what_is_not_there_is_said(bar: FindBar, qtbot: QtBot) -> None:
    look_for(bar, "twox", qtbot)
    assert bar.state.text() == "Not found"
    bar.field.clear()
    assert bar.state.text() == ""


def test_the_buttons_do_the_same(bar: FindBar, reached: list[object], qtbot: QtBot) -> None:
    look_for(bar, "two", qtbot)
    previous, following, close = bar.findChildren(QToolButton)
    QTest.mouseClick(following, Qt.MouseButton.LeftButton)
    assert reached[-1] == 12
    QTest.mouseClick(previous, Qt.MouseButton.LeftButton)
    assert reached[-1] == 4
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_escape_closes_and_other_content_forgets_the_words(bar: FindBar, qtbot: QtBot) -> None:
    look_for(bar, "two", qtbot)
    bar.reset()
    assert bar.field.text() == "two"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    bar.reset()
    assert bar.field.text() == ""
