from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton

from desktop.gui.form.field_row import FieldRow, field_actions, state_label
from desktop.gui.form.model.field_spec import ABSENT
from desktop.gui.form.model.nodes import ScalarNode
from desktop.gui.form.model.schema_reader import SchemaReader
from desktop.values.tool_types import ValidationIssue
from tests.gui.form.conftest import labels

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from tests.gui.form.conftest import ShowForm


def node(schema: Any, value: Any = ABSENT, *, required: bool = False) -> ScalarNode:
    return ScalarNode(SchemaReader({}).read(schema, "x", required=required), value)


def action_labels(of: ScalarNode) -> list[str]:
    return [action.label for action in field_actions(of)]


def test_each_action_is_offered_where_it_changes_something() -> None:
    schema = {"type": ["string", "null"], "default": "d"}
    assert action_labels(node(schema)) == [
        'Send empty text ""', "Send null", "Use default: d",
    ]  # fmt: skip
    assert action_labels(node(schema, "a")) == [
        'Send empty text ""', "Send null", "Use default: d", "Do not send",
    ]  # fmt: skip
    assert action_labels(node({"type": "integer"})) == ["Send null (not allowed)"]


def test_a_default_is_offered_unless_it_is_there_or_could_not_be_sent() -> None:
    def offers(*of: Any) -> bool:
        return any(label.startswith("Use default") for label in action_labels(node(*of)))

    assert offers({"type": "integer", "default": 0})
    assert not offers({"type": "integer", "default": 0}, 0)
    assert not offers({"type": "string", "default": None})


def test_null_and_an_empty_text_have_words_and_what_is_not_sent_has_none() -> None:
    schema = {"type": ["string", "null"]}
    values = (ABSENT, None, "", "a")
    assert [state_label(node(schema, value)) for value in values] == [
        "", "null", 'empty text ""', "",
    ]  # fmt: skip
    assert state_label(node(schema, required=True)) == ""


def show(qtbot: QtBot, context: FormContext, schema: Any, *, required: bool = False) -> FieldRow:
    spec = SchemaReader({}).read(schema, "depth", required=required)
    row = FieldRow(ScalarNode(spec), context)
    qtbot.addWidget(row)
    row.show()
    return row


def test_a_row_tells_all_about_its_field(qtbot: QtBot, context: FormContext) -> None:
    schema = {"type": "integer", "title": "Depth", "description": "How deep", "minimum": 1}
    row = show(qtbot, context, schema, required=True)
    row.resize(400, row.height())
    for part in ("Depth", "depth", "*", "How deep"):
        assert part in labels(row)
    editor = row.field.target()
    assert isinstance(editor, QLineEdit)
    assert editor.placeholderText() == "whole number · at least 1"
    marks = [mark for mark in row.findChildren(QLabel) if mark.text() == "*"]
    (name,) = (label for label in row.findChildren(QLabel) if label.text() == "Depth")
    QApplication.processEvents()
    assert name.x() < marks[0].x()
    assert [mark.accessibleName() for mark in marks] == ["required"]


def test_limits_stand_below_what_has_no_room_for_them(show_form: ShowForm) -> None:
    schema = {"type": "array", "items": {"type": "string"}, "minItems": 2}
    assert "at least 2 items" in labels(show_form({"properties": {"tags": schema}}))


def test_texts_of_a_server_are_never_markup(qtbot: QtBot, context: FormContext) -> None:
    row = show(qtbot, context, {"type": "string", "description": "<b>x</b><img src='file:///a'>"})
    assert "<b>x</b>" in labels(row)


def test_a_row_takes_about_56_pixels_whatever_its_description(
    qtbot: QtBot, context: FormContext
) -> None:
    schema = {"type": "integer", "minimum": 1, "default": 3, "description": "word " * 200}
    row = show(qtbot, context, schema, required=True)
    row.resize(320, row.sizeHint().height())
    assert row.sizeHint().height() <= 56


def test_a_long_description_is_one_line_until_it_is_clicked(
    qtbot: QtBot, context: FormContext
) -> None:
    row = show(qtbot, context, {"type": "string", "description": "<b>word</b> " * 2000})
    row.resize(400, 60)
    assert len(labels(row)) < 600
    assert 0 < len(row.description.toolTip()) < 2000
    assert "<" not in row.description.toolTip()
    QTest.mouseClick(row.description, Qt.MouseButton.LeftButton)
    assert len(labels(row)) > 9000
    QTest.mouseClick(row.description, Qt.MouseButton.LeftButton)
    assert len(labels(row)) < 600
    assert "word" in row.field.target().accessibleDescription()


def choose(row: FieldRow, beginning: str) -> None:
    """Choose an action from the menu of a row."""
    menu = row.menu_button.menu()
    menu.aboutToShow.emit()
    next(each for each in menu.actions() if each.text().startswith(beginning)).trigger()


def test_the_default_is_sent_when_it_is_chosen_only(qtbot: QtBot, context: FormContext) -> None:
    row = show(qtbot, context, {"type": "integer", "default": 3})
    assert row.node.value() is ABSENT
    choose(row, "Use default")
    assert row.node.value() == 3


def test_a_default_is_said_where_a_field_has_no_placeholder(
    qtbot: QtBot, context: FormContext
) -> None:
    assert "default: true" in labels(show(qtbot, context, {"type": "boolean", "default": True}))
    number = show(qtbot, context, {"type": "integer", "default": 3})
    assert "default" not in labels(number)
    editor = number.field.target()
    assert isinstance(editor, QLineEdit)
    assert "default: 3" in editor.placeholderText()


def test_the_menu_is_offered_while_the_pointer_or_the_keyboard_is_in_the_row(
    qtbot: QtBot, show_form: ShowForm
) -> None:
    form = show_form({"properties": {name: {"type": "string"} for name in ("one", "two")}})
    one, two = form.findChildren(FieldRow)
    one.field.target().setFocus()
    assert (offered(one), offered(two)) == (True, False)
    width = two.description.width()
    QTest.mouseMove(two.field.target())
    qtbot.waitUntil(lambda: offered(two))
    assert two.description.width() == width
    two.field.target().setFocus()
    QTest.mouseMove(one.field.target())
    qtbot.waitUntil(lambda: offered(one))
    QTest.mouseMove(two.field.target())
    qtbot.waitUntil(lambda: not offered(one))
    assert offered(two)


def offered(row: FieldRow) -> bool:
    return any(button.isVisible() for button in row.findChildren(QToolButton))


def test_the_menu_sends_null_and_empty_text(qtbot: QtBot, context: FormContext) -> None:
    row = show(qtbot, context, {"type": ["string", "null"]})
    for label, value, state in (
        ("Send null", None, "null"),
        ('Send empty text ""', "", 'empty text ""'),
    ):
        choose(row, label)
        assert (row.node.value(), row.state) == (value, state)


def test_null_can_be_sent_where_it_is_forbidden(show_form: ShowForm) -> None:
    form = show_form({"properties": {"n": {"type": "integer"}, "e": {"enum": ["a", "b"]}}})
    for name in ("n", "e"):
        row = form.fields.row_at((name,))
        assert row is not None
        menu = row.menu_button.menu()
        menu.aboutToShow.emit()
        next(each for each in menu.actions() if "null" in each.text()).trigger()
    assert form.value() == {"n": None, "e": None}
    assert {issue.path for issue in form.issues()} == {("n",), ("e",)}


def test_an_untouched_field_is_not_scolded(qtbot: QtBot, context: FormContext) -> None:
    row = show(qtbot, context, {"type": "string"}, required=True)
    issue = ValidationIssue(("depth",), "rule", "'depth' is required")
    row.show_issues([issue], is_revealed=False)
    assert not row.message.isVisible()
    row.show_issues([issue], is_revealed=True)
    assert row.message.text() == "'depth' is required"
    assert "'depth' is required" in row.field.target().accessibleDescription()


def test_the_editor_has_an_accessible_name(qtbot: QtBot, context: FormContext) -> None:
    row = show(qtbot, context, {"type": "string", "title": "Path"}, required=True)
    assert row.field.target().accessibleName() == "Path, text, required"
