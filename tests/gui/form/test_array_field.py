from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.array_field import ArrayField
from desktop.gui.form.array_node import ArrayNode
from desktop.gui.form.model import FormModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext

LEFT = Qt.MouseButton.LeftButton


def show(qtbot: QtBot, context: FormContext, value: Any = None, item: str = "string") -> ArrayField:
    model = FormModel({"properties": {"l": {"type": "array", "items": {"type": item}}}})
    if value is not None:
        model.set_value({"l": value})
    node = model.find(("l",))
    assert isinstance(node, ArrayNode)
    field = ArrayField(node, context)
    qtbot.addWidget(field)
    field.show()
    return field


def test_items_are_added_and_filled_in(qtbot: QtBot, context: FormContext) -> None:
    field = show(qtbot, context)
    assert field.node.is_absent
    for word in ("one", "two"):
        QTest.mouseClick(field.add_button, LEFT)
        QTest.keyClicks(field.rows[-1].row.field.target(), word)
    assert field.node.value() == ["one", "two"]


def test_items_are_moved_and_removed(qtbot: QtBot, context: FormContext) -> None:
    field = show(qtbot, context, ["a", "b", "c"])
    QTest.mouseClick(field.rows[0].down_button, LEFT)
    assert field.node.value() == ["b", "a", "c"]
    QTest.mouseClick(field.rows[2].up_button, LEFT)
    QTest.mouseClick(field.rows[0].remove_button, LEFT)
    assert field.node.value() == ["c", "a"]
    QTest.keyClicks(field.rows[0].row.field.target(), "!")
    assert "!" in field.node.value()[0]


def test_a_list_without_items_is_sent_as_such(qtbot: QtBot, context: FormContext) -> None:
    field = show(qtbot, context, ["a"])
    QTest.mouseClick(field.rows[0].remove_button, LEFT)
    assert field.node.value() == []


def test_the_first_item_cannot_move_up_nor_the_last_down(
    qtbot: QtBot, context: FormContext
) -> None:
    field = show(qtbot, context, ["a", "b"])
    states = [(row.up_button.isEnabled(), row.down_button.isEnabled()) for row in field.rows]
    assert states == [(False, True), (True, False)]
