from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QToolButton

from desktop.gui.form.model.field_spec import ABSENT, FieldSpec
from desktop.gui.form.model.nodes import ScalarNode
from desktop.gui.form.scalar_fields import (
    CalendarPopup,
    DateTimeField,
    NumberField,
    PathField,
    SecretField,
    TextField,
    now,
)
from desktop.tools.validation import validate

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_picked_path_is_inserted(qtbot: QtBot, context: FormContext, tmp_path: Path) -> None:
    field = PathField(ScalarNode(FieldSpec("path", "string")), context)
    qtbot.addWidget(field)
    field.show()
    QTest.mouseClick(field.pick_button, Qt.MouseButton.LeftButton)
    picker = field.findChildren(QFileDialog)[0]
    picker.fileSelected.emit(str(tmp_path / "a.txt"))
    picker.close()
    assert field.node.value() == str(tmp_path / "a.txt")
    QTest.keyClicks(field.editor, ".bak")
    assert field.node.value() == str(tmp_path / "a.txt.bak")


def test_a_folder_is_picked_for_what_is_called_one(qtbot: QtBot, context: FormContext) -> None:
    field = PathField(ScalarNode(FieldSpec("working_directory", "string")), context)
    qtbot.addWidget(field)
    assert field.pick_button.accessibleName() == "Choose a folder"


def test_typed_text_is_the_value(qtbot: QtBot, context: FormContext) -> None:
    field = TextField(ScalarNode(FieldSpec("t", "string")), context)
    qtbot.addWidget(field)
    with qtbot.waitSignal(field.edited):
        QTest.keyClicks(field.target(), "Ada")
    assert field.node.value() == "Ada"


def test_a_number_of_any_size_can_be_typed(qtbot: QtBot, context: FormContext) -> None:
    field = NumberField(ScalarNode(FieldSpec("n", "integer")), context)
    qtbot.addWidget(field)
    QTest.keyClicks(field.target(), "9007199254740993")
    assert field.node.value() == 9007199254740993
    field.node.set_value(7)
    field.load()
    target = field.target()
    assert isinstance(target, QLineEdit)
    assert target.text() == "7"


def test_a_secret_is_hidden_until_asked_for_and_keeps_its_lines(
    qtbot: QtBot, context: FormContext
) -> None:
    field = SecretField(ScalarNode(FieldSpec("key", "string"), "-----\nabc\n"), context)
    qtbot.addWidget(field)
    target = field.target()
    assert isinstance(target, QLineEdit)
    assert target.echoMode() == QLineEdit.EchoMode.Password
    field.findChildren(QToolButton)[-1].click()
    assert target.echoMode() == QLineEdit.EchoMode.Normal
    QTest.keyClicks(target, "!")
    assert field.node.value() == "-----\nabc\n!"
