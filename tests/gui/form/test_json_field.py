from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.json_field import JsonField
from desktop.gui.form.nodes import JsonNode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


def test_typed_json_is_the_value(qtbot: QtBot, context: FormContext) -> None:
    field = JsonField(JsonNode(FieldSpec("j")), context)
    qtbot.addWidget(field)
    QTest.keyClicks(field.target(), "[1, null]")
    assert field.node.value() == [1, None]
    field.node.set_value({"a": 1})
    field.load()
    assert field.json.text == '{\n  "a": 1\n}'
