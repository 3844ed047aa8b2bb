from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from desktop.gui.results.find_bar import FindBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def editor(window: QWidget) -> QPlainTextEdit:
    return QPlainTextEdit("one two one two one", window)


@pytest.fixture
def bar(theme: Theme, window: QWidget, editor: QPlainTextEdit) -> FindBar:
    made = FindBar(theme, editor, window)
    layout = QVBoxLayout(window)
    layout.addWidget(made)
    layout.addWidget(editor)
    window.show()
    made.open_bar()
    return made


def place(editor: QPlainTextEdit) -> int:
    return editor.textCursor().selectionStart()


def test_enter_goes_on_and_round_and_shift_enter_back(bar: FindBar, editor: QPlainTextEdit) -> None:
    places: list[int] = []
    QTest.keyClicks(bar.field, "one")
    places.append(place(editor))
    for _ in range(3):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
        places.append(place(editor))
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    places.append(place(editor))
    assert places == [0, 8, 16, 0, 16]


def test_what_is_not_there_is_said_and_the_place_kept(bar: FindBar, editor: QPlainTextEdit) -> None:
    QTest.keyClicks(bar.field, "two")
    QTest.keyClicks(bar.field, "x")
    assert "Not found" in [label.text() for label in bar.findChildren(QLabel)]
    assert place(editor) == 4


def test_the_buttons_do_the_same(bar: FindBar, editor: QPlainTextEdit) -> None:
    QTest.keyClicks(bar.field, "two")
    previous, following, close = bar.findChildren(QToolButton)
    QTest.mouseClick(following, Qt.MouseButton.LeftButton)
    assert place(editor) == 12
    QTest.mouseClick(previous, Qt.MouseButton.LeftButton)
    assert place(editor) == 4
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
