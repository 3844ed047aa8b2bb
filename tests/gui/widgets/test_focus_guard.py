from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.widgets.focus_guard import QUIET_SECONDS, FocusGuard

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

TAB, SPACE = Qt.Key.Key_Tab, Qt.Key.Key_Space


class _Page(QFrame):
    """A field, a button that goes, the dangerous one, and one more."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.home = QLineEdit()
        self.first, self.remove, self.last = (QPushButton(t) for t in ("Test", "&Remove", "Last"))
        self.guard = FocusGuard(self.remove, lambda: self.now)
        self.column = QVBoxLayout(self)
        for part in (self.home, self.first, self.remove, self.last):
            self.column.addWidget(part)
        self.removed = 0
        self.remove.clicked.connect(self._count)

    @property
    def focus_home(self) -> QWidget:
        return self.home

    def _count(self) -> None:
        self.removed += 1

    def press(self, key: Qt.Key) -> None:
        """A key as it is typed: to whatever has the focus."""
        QTest.keyClick(QApplication.focusWidget() or self, key)

    def later(self) -> None:
        self.now += QUIET_SECONDS


def _activate(window: QWidget) -> None:
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)


@pytest.fixture
def page(qtbot: QtBot) -> _Page:
    made = _Page()
    qtbot.addWidget(made)
    _activate(made)
    made.first.setFocus()
    made.later()
    return made


def _hide(widget: QWidget) -> None:
    widget.hide()


def _disable(widget: QWidget) -> None:
    widget.setEnabled(False)


def _remove(widget: QWidget) -> None:
    widget.setParent(None)
    widget.deleteLater()


@pytest.mark.parametrize("go", [_hide, _disable, _remove])
def test_the_focus_of_a_widget_that_goes_falls_on_the_home(
    page: _Page, go: Callable[[QWidget], None]
) -> None:
    go(page.first)
    assert QApplication.focusWidget() is page.home
    page.later()
    page.press(SPACE)
    assert not page.removed
    assert page.home.text() == " "


def test_a_person_reaches_it_by_tab_and_presses_it(page: _Page) -> None:
    page.press(TAB)
    assert page.remove.hasFocus()
    page.press(SPACE)
    assert page.removed == 1
    page.press(TAB)
    page.press(Qt.Key.Key_Backtab)
    page.press(SPACE)
    assert page.removed == 2


def test_a_click_gives_it_the_focus_and_presses_it(page: _Page) -> None:
    QTest.mouseClick(page.remove, Qt.MouseButton.LeftButton)
    assert page.removed == 1


def test_no_program_gives_it_the_focus(page: _Page) -> None:
    page.remove.setFocus()
    assert page.home.hasFocus()
    page.last.setFocus()
    page.last.focusPreviousChild()  # as Shift+Tab does: the person was on a widget still there
    assert page.remove.hasFocus()


def test_its_keys_are_ignored_for_a_moment_after_it_appeared(page: _Page) -> None:
    page.remove.hide()
    page.remove.show()
    page.press(TAB)
    assert page.remove.hasFocus()
    for key in (SPACE, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select):
        page.press(key)
    assert not page.removed
    page.later()
    page.press(SPACE)
    assert page.removed == 1


def test_tab_leads_away_from_it_at_any_time(page: _Page) -> None:
    page.remove.hide()
    page.remove.show()
    page.press(TAB)
    page.press(TAB)
    assert page.last.hasFocus()


def test_its_keys_are_ignored_for_a_moment_after_it_moved(page: _Page) -> None:
    page.press(TAB)
    page.remove.move(page.remove.x(), page.remove.y() + 30)
    page.press(SPACE)
    assert not page.removed
    page.later()
    page.press(SPACE)
    assert page.removed == 1


def test_it_moves_with_what_is_around_it(page: _Page) -> None:
    around = QFrame()
    inside = QVBoxLayout(around)
    inside.addWidget(page.remove)
    page.column.insertWidget(2, around)
    around.show()
    page.remove.show()
    QWidget.setTabOrder(page.first, page.remove)
    page.later()
    page.press(TAB)
    assert page.remove.hasFocus()
    page.press(SPACE)
    around.move(around.x(), around.y() + 40)
    page.press(SPACE)
    assert page.removed == 1
    page.press(TAB)
    assert not page.remove.hasFocus()


def test_its_mnemonic_is_ignored_for_a_moment_after_it_appeared(page: _Page) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    page.remove.hide()
    page.remove.show()
    QTest.keyClick(page, Qt.Key.Key_R, alt)
    assert not page.removed
    page.later()
    QTest.keyClick(page, Qt.Key.Key_R, alt)
    QApplication.processEvents()  # an animated click
    assert page.remove.isDown() or page.removed


def test_a_key_that_was_held_down_elsewhere_does_not_press_it(page: _Page) -> None:
    page.remove.setDefault(True)  # where Enter presses it
    page.press(TAB)
    held = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
    )
    QApplication.sendEvent(page.remove, held)
    assert not page.removed


def test_it_keeps_the_focus_of_a_person_who_comes_back_to_the_window(
    page: _Page, qtbot: QtBot
) -> None:
    page.press(TAB)
    other = QLineEdit()
    qtbot.addWidget(other)
    _activate(other)
    _activate(page)
    assert page.remove.hasFocus()
    page.press(SPACE)
    assert not page.removed
    page.later()
    page.press(SPACE)
    assert page.removed == 1


def test_a_focus_that_fell_while_the_window_was_in_the_background_goes_home(
    page: _Page, qtbot: QtBot
) -> None:
    other = QLineEdit()
    qtbot.addWidget(other)
    _activate(other)
    page.first.setEnabled(False)
    _activate(page)
    assert not page.remove.hasFocus()


def test_a_page_that_is_turned_does_not_give_it_the_focus(qtbot: QtBot) -> None:
    stack, one, other = QStackedWidget(), QLineEdit(), QWidget()
    qtbot.addWidget(stack)
    delete = QPushButton("Delete", other)
    FocusGuard(delete)
    stack.addWidget(one)
    stack.addWidget(other)
    _activate(stack)
    one.setFocus()
    stack.setCurrentWidget(other)
    assert not delete.hasFocus()


def test_without_a_named_home_what_scrolls_around_it_gets_the_focus(qtbot: QtBot) -> None:
    area, inside = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    column = QVBoxLayout(inside)
    test, delete = QPushButton("Test"), QPushButton("Delete")
    FocusGuard(delete)
    column.addWidget(test)
    column.addWidget(delete)
    area.setWidget(inside)
    _activate(area)
    test.setFocus()
    test.setEnabled(False)
    assert area.hasFocus()
