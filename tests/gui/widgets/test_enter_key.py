from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.widgets.enter_key import EnterKey
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.question_dialog import QuestionDialog
from tests.gui.waiting import arm, noted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

RETURN = Qt.Key.Key_Return


class Show(Protocol):
    """Shows widgets below each other in a window where Enter presses."""

    def __call__(self, *widgets: QWidget, window: QWidget | None = None) -> QWidget: ...


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    kept: list[QWidget] = []  # qtbot holds them weakly

    def do(*widgets: QWidget, window: QWidget | None = None) -> QWidget:
        window = window or QWidget()
        kept.append(window)
        qtbot.addWidget(window)
        column = QVBoxLayout(window)
        for widget in widgets:
            column.addWidget(widget)
        EnterKey(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield do
    kept.clear()


@pytest.mark.parametrize("kind", [QPushButton, QToolButton])
@pytest.mark.parametrize("key", [RETURN, Qt.Key.Key_Enter])
def test_enter_presses_the_focused_button_once(
    show: Show, kind: type[QPushButton | QToolButton], key: Qt.Key
) -> None:
    button = kind()
    clicks = noted(button.clicked)
    show(QLineEdit(), button)
    button.setFocus()
    QTest.keyClick(button, key)
    assert len(clicks) == 1


def test_enter_in_a_field_or_on_a_check_box_presses_nothing(show: Show) -> None:
    field, box, button = QLineEdit(), QCheckBox(), QPushButton()
    clicks = noted(button.clicked)
    show(field, box, button)
    button.setFocus()
    for other in (field, box):
        other.setFocus()
        QTest.keyClick(other, RETURN)
    assert (clicks, box.isChecked()) == ([], False)


def test_in_a_dialog_the_focused_button_comes_before_the_default_one(show: Show) -> None:
    field, tool, default = QLineEdit(), QToolButton(), QPushButton()
    dialog = show(field, tool, default, window=QDialog())
    tool.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    default.setDefault(True)
    pressed, accepted = noted(tool.clicked), noted(default.clicked)
    tool.setFocus()
    QTest.keyClick(tool, RETURN)
    assert (len(pressed), len(accepted)) == (1, 0)
    field.setFocus()
    QTest.keyClick(field, RETURN)
    assert (len(pressed), len(accepted)) == (1, 1)
    dialog.close()


def test_a_guarded_button_is_pressed_once_it_is_a_persons_own_choice(show: Show) -> None:
    before, remove = QLineEdit(), QPushButton()
    guard_focus(remove)
    clicks = noted(remove.clicked)
    show(before, remove)
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert remove.hasFocus()
    QTest.keyClick(remove, RETURN)
    assert clicks == []  # it appeared just now
    arm(remove)
    QTest.keyClick(remove, RETURN)
    assert len(clicks) == 1


def test_the_question_before_a_removal_is_answered_with_enter(qtbot: QtBot, show: Show) -> None:
    host = show(QLineEdit())
    dialog = QuestionDialog(host, "Remove “mine”?", "It is gone.", "Remove")
    accepted, rejected = noted(dialog.accepted), noted(dialog.rejected)
    with qtbot.waitActive(dialog):
        dialog.open()
        dialog.activateWindow()
    qtbot.waitUntil(dialog.cancel.hasFocus)
    while not dialog.act.hasFocus():
        QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Tab)
    arm(dialog.act)
    QTest.keyClick(dialog.act, RETURN)
    assert (len(accepted), len(rejected)) == (1, 0)


def test_a_held_enter_presses_nothing_more(show: Show) -> None:
    button = QPushButton()
    clicks = noted(button.clicked)
    show(QLineEdit(), button)
    button.setFocus()
    held = QKeyEvent(
        QEvent.Type.KeyPress, RETURN, Qt.KeyboardModifier.NoModifier, "\r", autorep=True
    )
    QApplication.sendEvent(button, held)
    assert clicks == []
