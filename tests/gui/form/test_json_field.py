from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.json_field import JsonField, OtherField
from desktop.gui.form.nodes import JsonNode, ObjectNode

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


def test_other_properties_join_the_object(qtbot: QtBot, context: FormContext) -> None:
    owner = ObjectNode(
        FieldSpec("o", "object"), lambda _: FieldSpec(), lambda s, v: JsonNode(s, v), {}
    )
    field = OtherField(owner, context)
    qtbot.addWidget(field)
    QTest.keyClicks(field.target(), '{"b": 2}')
    assert owner.value() == {"b": 2}
