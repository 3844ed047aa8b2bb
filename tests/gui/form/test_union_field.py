from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton

from desktop.gui.form.field_factory import UnionField
from desktop.gui.form.field_row import FieldRow
from tests.gui.focus import focused
from tests.gui.form.conftest import labels
from tests.gui.form.hard_schemas import CIRCLE, SQUARE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.schema_form import SchemaForm
    from tests.gui.form.conftest import ShowForm

LEFT = Qt.MouseButton.LeftButton
SHAPE = {"properties": {"shape": {"oneOf": [CIRCLE, SQUARE], "description": "What to draw"}}}


def chip(form: QWidget, text: str) -> QPushButton:
    return next(each for each in form.findChildren(QPushButton) if each.text() == text)


def editor(form: SchemaForm, name: str) -> QWidget:
    rows = form.findChildren(FieldRow)
    return next(row for row in rows if row.node.spec.name == name).field.target()


def test_a_shape_is_chosen_filled_in_and_found_again(show_form: ShowForm) -> None:
    form = show_form(SHAPE)
    assert form.value() == {}
    QTest.mouseClick(chip(form, "circle"), LEFT)
    QTest.keyClicks(editor(form, "radius"), "2")
    assert form.value() == {"shape": {"kind": "circle", "radius": 2}}
    QTest.mouseClick(chip(form, "square"), LEFT)
    QTest.keyClicks(editor(form, "side"), "3")
    assert form.value() == {"shape": {"kind": "square", "side": 3}}
    QTest.mouseClick(chip(form, "circle"), LEFT)
    assert form.value() == {"shape": {"kind": "circle", "radius": 2}}
    QTest.mouseClick(chip(form, "circle"), LEFT)
    assert form.value() == {}


def test_before_a_shape_is_chosen_nothing_is_said_of_its_fields(show_form: ShowForm) -> None:
    form = show_form(SHAPE | {"required": ["shape"]})
    assert "An empty object" not in labels(form)
    QTest.mouseClick(chip(form, "circle"), LEFT)
    assert "radius" in labels(form)


def test_a_constant_text_is_written_as_the_other_choices_are(show_form: ShowForm) -> None:
    form = show_form({"properties": {"kind": {"const": "circle"}, "mode": {"enum": ["a", "b"]}}})
    QTest.mouseClick(chip(form, "circle"), LEFT)
    QTest.mouseClick(chip(form, "a"), LEFT)
    assert form.value() == {"kind": "circle", "mode": "a"}


def test_the_keyboard_alone_chooses_and_fills_in(show_form: ShowForm) -> None:
    form = show_form(SHAPE)
    chip(form, "square").setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    for _ in range(12):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        if focused().accessibleName().startswith("side"):
            break
    QTest.keyClicks(focused(), "4")
    assert form.value() == {"shape": {"kind": "square", "side": 4}}


def test_the_arguments_as_a_whole_may_have_shapes(show_form: ShowForm) -> None:
    form = show_form({"oneOf": [CIRCLE, SQUARE], "properties": {"name": {"type": "string"}}})
    assert "Choose the shape" in labels(form)
    QTest.mouseClick(chip(form, "square"), LEFT)
    assert form.value() == {"kind": "square"}
    assert "side" in labels(form)
    form.set_value({"kind": "circle", "radius": 1})
    assert chip(form, "circle").isChecked()
    assert form.value() == {"kind": "circle", "radius": 1}


def test_a_value_of_no_shape_is_shown_as_json_and_kept(show_form: ShowForm) -> None:
    form = show_form(SHAPE, {"shape": [1, 2]})
    assert form.value() == {"shape": [1, 2]}
    assert chip(form.findChildren(UnionField)[0], "JSON").isChecked()
    QTest.mouseClick(chip(form, "square"), LEFT)
    assert form.value() == {"shape": {"kind": "square"}}


def test_many_shapes_are_a_list(show_form: ShowForm) -> None:
    branches: list[Any] = [
        {"title": f"Shape number {n}", "properties": {f"p{n}": {}}} for n in range(9)
    ]
    form = show_form({"properties": {"u": {"anyOf": branches}}})
    box = form.findChildren(QComboBox)[0]
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert form.value() == {"u": {}}
    assert "p0" in labels(form)
    assert "Shape number 0" in box.currentText()


def test_shapes_have_names(show_form: ShowForm) -> None:
    shapes = [
        {"type": "object", "properties": {"page": {"type": "string"}}},
        {"type": "object", "properties": {"view": {"enum": ["table"]}, "id": {}}},
        {"type": "object", "description": "All of it.\nAt once"},
        {"type": "array", "items": {"type": "string"}},
        {"enum": ["a", "b"]},
    ]
    form = show_form({"properties": {"x": {"anyOf": shapes}}})
    (box,) = form.findChildren(QComboBox)
    names = [box.itemText(at) for at in range(1, box.count())]
    assert names == ["page", "table", "All of it", "list: text", "a, b"]


def test_choosing_a_shape_is_no_mistake_yet(show_form: ShowForm, qtbot: QtBot) -> None:
    shapes = [
        {"type": "object", "properties": {name: {"type": "integer"}}, "required": [name]}
        for name in ("page", "view")
    ]
    form = show_form({"properties": {"x": {"anyOf": shapes}}, "required": ["x"]})
    with qtbot.waitSignal(form.checked):
        QTest.mouseClick(chip(form, "page"), LEFT)
    rows = form.findChildren(FieldRow)
    assert form.issues()
    assert not any(row.message.isVisible() for row in rows)
    with qtbot.waitSignal(form.checked):
        QTest.keyClicks(editor(form, "page"), "x")
    assert any(row.message.isVisible() for row in rows)
