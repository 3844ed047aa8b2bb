from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.form.array_field import ArrayField
from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.fields_view import RowIssues
from desktop.gui.form.model.form_model import FormModel
from desktop.values.tool_types import ValidationIssue
from tests.gui.focus import focused
from tests.gui.form.conftest import labels

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from tests.gui.form.conftest import ShowForm

SCHEMA_OF_ROWS = {"properties": {"a": {"type": "string"}, "any": {}}}


def test_each_row_is_told_its_own_and_the_rest_is_left_over(
    qtbot: QtBot, context: FormContext
) -> None:
    model = FormModel(SCHEMA_OF_ROWS)
    rows = [FieldRow(node, context) for path, node in model.walk() if path]
    for row in rows:
        qtbot.addWidget(row)
    told = RowIssues()
    wrong = ValidationIssue(("a",), "type", "must be text")
    inside = ValidationIssue(("any", "deep", 0), "type", "must be 5")
    nowhere = ValidationIssue(("zz",), "rule", "is unknown")
    speaking = told.show([wrong, inside, nowhere], rows, model, is_revealed=True)
    assert speaking == rows
    assert [row.message.text() for row in rows] == ["Must be text", "Deep[0]: must be 5"]
    assert told.unplaced == (nowhere,)
    assert told.show([], rows, model, is_revealed=True) == []
    assert not any(row.message.text() for row in rows)


def test_an_untouched_field_keeps_quiet_about_errors_but_not_about_warnings(
    qtbot: QtBot, context: FormContext
) -> None:
    model = FormModel(SCHEMA_OF_ROWS)
    row = FieldRow(model.find(("a",)), context)
    qtbot.addWidget(row)
    told = RowIssues()
    wrong = ValidationIssue(("a",), "rule", "is required")
    odd = ValidationIssue(("a",), "rule", "is odd", "warning")
    assert told.show([wrong], [row], model, is_revealed=False) == []
    assert told.show([wrong, odd], [row], model, is_revealed=False) == [row]
    assert row.message.text() == "Is odd"


def test_an_item_that_was_added_comes_before_the_button_that_added_it(
    show_form: ShowForm,
) -> None:
    form = show_form({"properties": {"l": {"items": {"type": "string"}}, "z": {"type": "boolean"}}})
    field = form.findChildren(ArrayField)[0]
    QTest.mouseClick(field.add_button, Qt.MouseButton.LeftButton)
    names: list[str] = []
    for _ in range(3):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        names.append(focused().accessibleName())
    assert names == [
        "Remove item 1",
        "l, list: text, optional: Add item",
        "z, true or false, optional: true",
    ]


def test_tab_goes_from_editor_to_editor(show_form: ShowForm) -> None:
    number = {"type": "integer", "default": 3}
    form = show_form({"properties": {"n": number, "m": number}})
    form.json_button.setFocus()
    names: list[str] = []
    for _ in range(2):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        names.append(focused().accessibleName())
    assert names == ["n, whole number, optional", "m, whole number, optional"]


SCHEMA = {
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}


def test_nothing_is_red_before_something_was_typed(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form(SCHEMA)
    form.fields.focus_first()
    while not focused().accessibleName().startswith("age"):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    with qtbot.waitSignal(form.checked):
        QTest.keyClicks(focused(), "5")
    assert "is required" not in labels(form)
    row = form.fields.row_at(("name",))
    assert row is not None
    QTest.keyClicks(row.field.target(), "x")
    with qtbot.waitSignal(form.checked):
        QTest.keyClick(row.field.target(), Qt.Key.Key_Backspace)
    assert "is required" in labels(form) or not row.node.is_absent  # an empty text is one


def test_what_no_field_shows_is_listed_on_top_and_leads_into_the_json(
    show_form: ShowForm,
) -> None:
    form = show_form({**SCHEMA, "minProperties": 3}, {"name": "x"})
    form.reveal_issues()
    found = form.fields.messages
    assert [each.issue.path for each in found.findings] == [()]
    place = found.visualItemRect(found.item(0)).center()
    QTest.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert form.shows_json
    assert form.json.editor.hasFocus()


def test_an_untouched_form_does_not_complain_on_top(show_form: ShowForm, qtbot: QtBot) -> None:
    form = show_form({**SCHEMA, "minProperties": 3})
    qtbot.waitSignal(form.checked).wait()
    assert form.fields.messages.isHidden()


def test_a_field_far_below_is_scrolled_to(show_form: ShowForm) -> None:
    form = show_form({"properties": {f"f{n}": {"type": "string"} for n in range(60)}})
    row = form.fields.row_at(("f55",))
    assert row is not None
    form.go_to(ValidationIssue(("f55",), "type", "wrong"))
    assert row.field.target() is focused()
    place = row.mapTo(form.fields.area.viewport(), row.rect().topLeft()).y()
    assert 0 <= place < form.fields.area.viewport().height()


def test_the_keyboard_stays_in_its_field_when_all_is_drawn_anew(show_form: ShowForm) -> None:
    form = show_form(SCHEMA)
    row = form.fields.row_at(("age",))
    assert row is not None
    row.field.target().setFocus()
    form.fields.redraw()
    assert focused().accessibleName().startswith("age")
    assert isinstance(focused(), QWidget)
