from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.widgets.search_fields import SearchField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

_KEYPAD = Qt.KeyboardModifier.KeypadModifier


def _field(qtbot: QtBot, *exit_keys: Qt.Key) -> tuple[SearchField, list[Qt.Key]]:
    field = SearchField(exit_keys=exit_keys)
    qtbot.addWidget(field)
    exits: list[Qt.Key] = []
    field.exited.connect(exits.append)
    return field, exits


def test_keys_that_lead_out_are_passed_on_and_letters_are_typed(qtbot: QtBot) -> None:
    keys = [Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown]
    field, exits = _field(qtbot, *keys)
    QTest.keyClicks(field, "ab")
    for key in keys:
        QTest.keyClick(field, key)
    assert (field.text(), exits) == ("ab", keys)


def test_arrow_keys_lead_out_where_they_belong_to_the_keypad(qtbot: QtBot) -> None:
    field, exits = _field(qtbot, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Down, _KEYPAD)
    assert exits == [Qt.Key.Key_Down]


def test_ctrl_enter_does_not_lead_out_for_it_runs_the_call(qtbot: QtBot) -> None:
    field, exits = _field(qtbot, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert exits == []


def test_escape_empties_it_and_only_then_leads_out(qtbot: QtBot) -> None:
    field, exits = _field(qtbot, Qt.Key.Key_Escape)
    QTest.keyClicks(field, "abc")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert (field.text(), exits) == ("", [])
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert exits == [Qt.Key.Key_Escape]


@pytest.mark.parametrize(
    ("text", "exit_keys", "is_kept"),
    [("abc", (), True), ("", (), False), ("", (Qt.Key.Key_Escape,), True)],
)
def test_escape_is_kept_from_shortcuts_while_the_line_needs_it(
    qtbot: QtBot, text: str, exit_keys: tuple[Qt.Key, ...], is_kept: bool
) -> None:
    field, _ = _field(qtbot, *exit_keys)
    field.setText(text)
    event = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(field, event)
    assert event.isAccepted() == is_kept
