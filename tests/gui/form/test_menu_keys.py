from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from desktop.gui.form.field_row import FieldRow
from tests.gui.focus import focused

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from tests.gui.form.conftest import ShowForm

SCHEMA = {
    "properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}},
    "required": ["b"],
}
SHIFT = Qt.KeyboardModifier.ShiftModifier


def _menu_event(widget: QWidget) -> None:
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(widget, QContextMenuEvent(reason, QPoint(1, 1), QPoint(1, 1)))


_ASKS: dict[str, Callable[[QWidget], None]] = {
    "shift and F10": lambda widget: QTest.keyClick(widget, Qt.Key.Key_F10, SHIFT),
    "the menu key": lambda widget: QTest.keyClick(widget, Qt.Key.Key_Menu),
    "the platform's event": _menu_event,
}


@pytest.mark.parametrize("ask", _ASKS)
def test_a_key_opens_the_options_of_the_field_that_has_the_keyboard(
    show_form: ShowForm, ask: str
) -> None:
    form = show_form(SCHEMA)
    form.fields.focus_first()
    assert focused().accessibleName().startswith("b,")
    _ASKS[ask](focused())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    while (action := menu.activeAction()) and "null" not in action.text().lower():
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert form.value() == {"b": None}
    assert QApplication.activePopupWidget() is None


def test_typing_tab_typing_fills_two_fields(show_form: ShowForm) -> None:
    form = show_form({"properties": {"a": {"type": "number"}, "b": {"type": "number"}}})
    form.fields.focus_first()
    QTest.keyClicks(focused(), "20")
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    QTest.keyClicks(focused(), "30")
    assert form.value() == {"a": 20, "b": 30}


def test_no_options_button_takes_the_focus(show_form: ShowForm) -> None:
    form = show_form(SCHEMA, {"a": "x", "b": "y"})
    rows = form.findChildren(FieldRow)
    assert rows
    for row in rows:
        assert isinstance(row.menu_button, QToolButton)
        assert row.menu_button.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_keyboard_goes_to_the_first_required_field(show_form: ShowForm) -> None:
    item = {"type": "object", "properties": {"name": {"type": "string"}}}
    schema = {
        "properties": {"icon": {"type": "string"}, "fields": {"type": "array", "items": item}},
        "required": ["fields"],
    }
    form = show_form(schema)
    assert form.fields.focus_first()
    assert focused().accessibleName().endswith("Add item")


def test_without_fields_there_is_nothing_to_go_to(show_form: ShowForm) -> None:
    assert not show_form({"type": "object"}).fields.focus_first()
