from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.array_node import ArrayNode
from desktop.gui.form.check_list_field import CheckListField, boxes_of
from desktop.gui.form.fields import ABSENT
from desktop.gui.form.model import FormModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext

DAYS = {"type": "array", "uniqueItems": True, "items": {"enum": ["mon", "tue", 3]}, "maxItems": 2}


def node(value: Any = ABSENT, schema: Any = DAYS) -> ArrayNode:
    model = FormModel({"properties": {"d": schema}})
    if value is not ABSENT:
        model.set_value({"d": value})
    found = model.find(("d",))
    assert isinstance(found, ArrayNode)
    return found


def test_ticks_make_the_list_and_a_full_list_takes_no_more(
    qtbot: QtBot, context: FormContext
) -> None:
    field = CheckListField(node(), context)
    qtbot.addWidget(field)
    field.announce_as("days")
    seen: list[Any] = [field.node.value()]
    for index in (2, 0, 1, 2):
        QTest.keyClick(field.boxes[index], Qt.Key.Key_Space)
        seen.append(field.node.value())
    assert seen == [ABSENT, [3], [3, "mon"], [3, "mon"], ["mon"]]
    assert field.boxes[1].isEnabled()
    assert field.boxes[0].accessibleName() == "days: mon"


def test_a_list_that_boxes_cannot_show_has_none() -> None:
    assert boxes_of(node(["mon"]))
    for odd in (["mon", "mon"], ["sun"], [3.0]):
        assert boxes_of(node(odd)) == []
    assert boxes_of(node(schema={**DAYS, "uniqueItems": False})) == []
    many = {"enum": list(range(500))}
    assert boxes_of(node(schema={**DAYS, "items": many})) == []
