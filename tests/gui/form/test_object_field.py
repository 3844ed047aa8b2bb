from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.object_field import ObjectField
from tests.gui.form.conftest import labels
from tests.gui.form.hard_schemas import HARD

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from tests.gui.form.conftest import ShowForm


def test_an_optional_object_is_drawn_once_it_is_opened(qtbot: QtBot, context: FormContext) -> None:
    model = FormModel({"properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}})
    node = model.find(("next",))
    assert isinstance(node, ObjectNode)
    field = ObjectField(node, context)
    qtbot.addWidget(field)
    field.show()
    assert (field.rows, model.value()) == ([], {})
    QTest.mouseClick(field.open_button, Qt.MouseButton.LeftButton)
    assert [row.node.spec.name for row in field.rows] == ["next", "n"]
    assert model.value() == {"next": {}}
    node.set_value(model.find(("nowhere",)).spec.default)
    field.load()
    assert field.rows == []


def test_a_tool_without_arguments_says_so(qtbot: QtBot, context: FormContext) -> None:
    root = FormModel({"type": "object"}).root
    assert isinstance(root, ObjectNode)
    field = ObjectField(root, context, is_root=True)
    qtbot.addWidget(field)
    field.show()
    assert labels(field) == "This tool takes no arguments."


def test_an_open_object_takes_other_properties(qtbot: QtBot, context: FormContext) -> None:
    root = FormModel({"properties": {"a": {}}, "additionalProperties": True}).root
    assert isinstance(root, ObjectNode)
    field = ObjectField(root, context, is_root=True)
    qtbot.addWidget(field)
    field.show()
    assert "Other properties" in labels(field)
    root.set_value({"<img src='/etc/hostname'>": 1})
    field.load()
    tips = [button.toolTip() for button in field.findChildren(QToolButton)]
    assert any("img" in tip for tip in tips)
    assert not any("<" in tip for tip in tips)  # else it would be taken for markup


def test_fields_come_with_their_condition_while_typing(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form(HARD["dependent"])
    card, name = (row.field.target() for row in form.findChildren(FieldRow))
    with qtbot.waitSignal(form.changed):
        QTest.keyClicks(card, "4")
    qtbot.waitUntil(lambda: "address" in labels(form), timeout=2000)
    qtbot.waitUntil(lambda: "*" in labels(form), timeout=2000)
    assert form.findChildren(FieldRow)[0].field.target() is card
    assert name.isVisible()
    with qtbot.waitSignal(form.changed):
        QTest.keyClick(card, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: "address" not in labels(form), timeout=2000)
    assert "required" not in labels(form)


def test_rows_below_the_fold_follow_and_are_there_when_they_are_needed(
    show_form: ShowForm,
) -> None:
    properties = {f"p{n}": {"type": "integer"} for n in range(60)}
    form = show_form({"properties": properties, "required": list(properties)})
    form.reveal_issues()
    assert form.first_invalid() is not None
    assert len(form.findChildren(FieldRow)) == 60


def test_recursion_is_opened_step_by_step(show_form: ShowForm) -> None:
    form = show_form(HARD["recursion to the root"])
    for _ in range(2):
        closed = [each for each in form.findChildren(ObjectField) if each.open_button.isVisible()]
        QTest.keyClick(closed[-1].open_button, Qt.Key.Key_Space)
    assert form.value() == {"child": {"child": {}}}


def test_a_required_field_with_a_default_says_what_the_server_will_use(
    show_form: ShowForm,
) -> None:
    default = {"type": "integer", "default": 7}
    form = show_form({"properties": {"path": {}, "depth": default}, "required": ["path", "depth"]})
    path, depth = form.findChildren(FieldRow)
    assert "*" in labels(path)
    assert "required" not in labels(depth)
    editor = depth.field.target()
    assert isinstance(editor, QLineEdit)
    assert editor.placeholderText() == "default: 7"
    assert [issue.where for issue in form.reveal_issues()] == ["path"]
    assert form.value() == {}


def test_a_required_object_with_a_default_is_not_sent_before_it_is_opened(
    show_form: ShowForm,
) -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}, "default": {"a": "x"}}
    form = show_form({"properties": {"o": inner}, "required": ["o"]})
    assert form.value() == {}
    assert form.reveal_issues() == []
    row = form.findChildren(FieldRow)[0]
    assert 'default: {"a": "x"}' in labels(row)
    row.apply(row.node.spec.default)
    assert form.value() == {"o": {"a": "x"}}
