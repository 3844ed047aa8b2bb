from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.fields import ABSENT, FieldSpec
from desktop.gui.form.moment_field import CalendarPopup, DateTimeField, now
from desktop.gui.form.nodes import ScalarNode
from desktop.tools.validation import validate

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext

LEFT = Qt.MouseButton.LeftButton


def show(qtbot: QtBot, context: FormContext, form: str, value: object = ABSENT) -> DateTimeField:
    field = DateTimeField(ScalarNode(FieldSpec("m", "string", {"format": form}), value), context)
    qtbot.addWidget(field)
    field.show()
    return field


@pytest.mark.parametrize("form", ["date", "time", "date-time"])
def test_now_is_written_as_the_format_asks(form: str) -> None:
    assert validate({"type": "string", "format": form}, now(form)) == []


@pytest.mark.parametrize("text", ["yesterday", "2026-1-1", "2026-11-20T10:00:00.123+02:00"])
def test_any_text_stays_as_it_is(qtbot: QtBot, context: FormContext, text: str) -> None:
    field = show(qtbot, context, "date-time", text)
    assert field.editor.text() == text
    assert (field.node.value(), field.node.is_touched) == (text, False)


def test_a_day_is_picked_by_key_and_the_time_stays(qtbot: QtBot, context: FormContext) -> None:
    field = show(qtbot, context, "date-time", "2026-11-20T10:00:00Z")
    QTest.mouseClick(field.pick_button, LEFT)
    popup = field.findChildren(CalendarPopup)[0]
    QTest.keyClick(popup.calendar.focusProxy() or popup.calendar, Qt.Key.Key_Right)
    QTest.keyClick(popup.calendar.focusProxy() or popup.calendar, Qt.Key.Key_Return)
    assert field.node.value() == "2026-11-21T10:00:00Z"


def test_a_day_alone_is_the_start_of_the_day(qtbot: QtBot, context: FormContext) -> None:
    field = show(qtbot, context, "date-time", "soon")
    field.take_day("2026-11-20")
    assert field.node.value() == "2026-11-20T00:00:00Z"
    day = show(qtbot, context, "date")
    day.take_day("2026-11-20")
    assert day.node.value() == "2026-11-20"


def test_the_time_of_now_is_a_click_away(qtbot: QtBot, context: FormContext) -> None:
    field = show(qtbot, context, "time")
    assert not field.pick_button.isVisible()
    QTest.mouseClick(field.now_button, LEFT)
    assert validate({"format": "time"}, field.node.value()) == []
