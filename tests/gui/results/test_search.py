from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from desktop.gui import shortcuts
from desktop.gui.results.search import MAX_MATCHES, FindBar, Matches, SearchedView
from desktop.gui.results.text_pages import find_in_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_control_f_opens_the_bar_and_not_what_the_window_does_with_it(
    theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    elsewhere: list[str] = []
    context = shortcuts.IN_WINDOW
    shortcuts.bind(window, shortcuts.FILTER, lambda: elsewhere.append("tools"), context=context)
    view = SearchedView(window)
    view.find_bar = FindBar(theme, lambda _: iter(()), view)
    QVBoxLayout(view).addWidget(view.find_bar)
    QVBoxLayout(window).addWidget(view)
    window.show()
    window.activateWindow()
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert view.find_bar.isVisible()
    assert elsewhere == []


def test_places_come_between_the_turns_and_the_first_is_shown(qtbot: QtBot) -> None:
    matches: Matches[int] = Matches()
    reached: list[object] = []
    matches.reached.connect(reached.append)
    matches.start(iter([None, 3, None, 5, 8]))
    qtbot.waitUntil(lambda: not matches.is_looking)
    assert (matches.found, reached) == ([3, 5, 8], [3])
    for step in (1, 1, 1, -1):
        matches.step(step)
    assert reached == [3, 5, 8, 3, 8]


def test_a_new_search_forgets_the_old_one(qtbot: QtBot) -> None:
    matches: Matches[int] = Matches()
    matches.start(iter([1]))
    matches.start(iter([]))
    qtbot.waitUntil(lambda: not matches.is_looking)
    matches.step(1)
    assert (matches.found, matches.current) == ([], -1)


def test_places_without_end_end(qtbot: QtBot) -> None:
    def endless() -> Iterator[int]:
        while True:
            yield 1

    matches: Matches[int] = Matches()
    matches.start(endless())
    qtbot.waitUntil(lambda: not matches.is_looking)
    assert len(matches.found) == MAX_MATCHES


TEXT = "one two one two one"


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def bar(theme: Theme, window: QWidget) -> FindBar:
    made = FindBar(theme, lambda words: find_in_text(TEXT, words), window)
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
