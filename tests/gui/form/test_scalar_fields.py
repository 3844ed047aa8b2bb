from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.nodes import ScalarNode
from desktop.gui.form.scalar_fields import NumberField, SecretField, TextField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


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
