from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.array_field import ArrayField, ItemRow
from desktop.gui.form.model.field_spec import FieldSpec
from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.nodes import ArrayNode, JsonNode, ScalarNode
from desktop.gui.widgets.focus_guard import focus_guard_of
from desktop.gui.widgets.text_editors import GrowingTextEditor
from tests.gui.focus import focused
from tests.gui.form.conftest import labels

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from tests.gui.form.conftest import ShowForm


def test_an_item_and_its_buttons_say_which_one_they_are(qtbot: QtBot, context: FormContext) -> None:
    for node in (
        ScalarNode(FieldSpec("", "string", in_list=True)),
        JsonNode(FieldSpec(in_list=True)),
    ):
        row = ItemRow(node, context)
        qtbot.addWidget(row)
        row.place(1, 3)
        assert row.row.field.target().accessibleName() == "Item 2"
        assert row.remove_button.accessibleName() == "Remove item 2"


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


def test_alt_and_an_arrow_move_the_item_that_has_the_keyboard(show_form: ShowForm) -> None:
    form = show_form({"properties": {"l": {"items": {"type": "string"}}}}, {"l": ["a", "b", "c"]})
    field = form.findChildren(ArrayField)[0]
    field.rows[0].row.field.target().setFocus()
    alt = Qt.KeyboardModifier.AltModifier
    seen: list[Any] = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(focused(), key, alt)
        seen.append("".join(form.value()["l"]))
    assert seen == ["bac", "bca", "bca", "bac"]
    QTest.keyClicks(focused(), "!")
    assert form.value() == {"l": ["b", "!a", "c"]}


def test_in_a_list_of_lists_the_innermost_item_moves(show_form: ShowForm) -> None:
    inner = {"type": "array", "items": {"enum": list("abcdefg")}}
    form = show_form(
        {"properties": {"l": {"type": "array", "items": inner}}}, {"l": [["a", "b"], ["c"]]}
    )
    field = form.findChildren(ArrayField)[1]
    field.rows[0].row.field.target().setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert form.value() == {"l": [["b", "a"], ["c"]]}


def test_a_full_list_says_why_it_takes_no_more(show_form: ShowForm) -> None:
    schema = {"properties": {"l": {"items": {"type": "string"}, "maxItems": 1}}}
    form = show_form(schema, {"l": ["a"]})
    button = form.findChildren(ArrayField)[0].add_button
    assert (button.isEnabled(), button.text()) == (False, "Maximum of 1 item reached")


def test_a_tuple_has_named_places_that_stay(show_form: ShowForm) -> None:
    prefix = [{"type": "integer", "title": "From"}, {"type": "string", "description": "Why"}]
    schema = {"properties": {"t": {"type": "array", "prefixItems": prefix, "items": False}}}
    form = show_form(schema)
    field = form.findChildren(ArrayField)[0]
    assert form.value() == {}
    QTest.keyClick(field.add_button, Qt.Key.Key_Space)
    assert form.value() == {"t": []}
    QTest.keyClicks(focused(), "5")
    assert form.value() == {"t": [5]}
    assert not field.add_button.isVisible()
    assert not field.rows[0].remove_button.isVisible()
    text = labels(form)
    assert "From" in text
    assert "Why" in text


def test_a_second_press_after_removing_an_item_removes_no_other(show_form: ShowForm) -> None:
    form = show_form({"properties": {"l": {"type": "array", "items": {"type": "string"}}}})
    form.set_value({"l": ["a", "b", "c"]})
    (field,) = form.findChildren(ArrayField)
    field.rows[0].remove_button.setFocus(Qt.FocusReason.TabFocusReason)
    guard = focus_guard_of(field.rows[0].remove_button)
    assert guard is not None
    guard.arm()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert form.value() == {"l": ["b", "c"]}
    assert isinstance(focused(), GrowingTextEditor)
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert len(form.value()["l"]) == 2
