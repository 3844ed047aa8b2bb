from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from desktop.gui.form.field_row import FieldRow, field_actions
from desktop.gui.form.schema_form import SchemaForm
from desktop.values.json_schema import same_json
from desktop.values.tool_types import ValidationIssue
from tests.gui.focus import focused
from tests.gui.form.conftest import labels
from tests.gui.form.hard_schemas import HARD
from tests.gui.form.schema_values import draw_object

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.form.conftest import ShowForm

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
LEFT = Qt.MouseButton.LeftButton
PERSON = {
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}},
        "active": {"type": "boolean"},
    },
    "required": ["name"],
}


def target(form: SchemaForm, name: str) -> QWidget:
    rows = form.findChildren(FieldRow)
    return next(row for row in rows if row.node.spec.name == name).field.target()


def test_the_keyboard_alone_fills_the_form_and_asks_for_a_run(
    qtbot: QtBot, show_form: ShowForm
) -> None:
    form = show_form(PERSON)
    target(form, "name").setFocus()
    QTest.keyClicks(focused(), "Ada")
    seen: list[str] = []
    for _ in range(14):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        seen.append(focused().accessibleName())
        if seen[-1].startswith("age"):
            QTest.keyClicks(focused(), "36")
        if seen[-1].endswith("Add item") and "tags" not in form.value():
            QTest.keyClick(focused(), Qt.Key.Key_Space)
            QTest.keyClicks(focused(), "x")
        if seen[-1].endswith(": true"):
            QTest.keyClick(focused(), Qt.Key.Key_Space)
            break
    with qtbot.waitSignal(form.run_requested):
        QTest.keyClick(focused(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert form.value() == {"name": "Ada", "age": 36, "tags": ["x"], "active": True}
    assert form.issues() == []


def test_ctrl_enter_works_inside_text(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form({"properties": {"content": {"type": "string"}}})
    editor = target(form, "content")
    editor.setFocus()
    with qtbot.waitSignal(form.run_requested):
        QTest.keyClick(editor, Qt.Key.Key_Enter, Qt.KeyboardModifier.ControlModifier)
    assert form.value() == {}


def test_an_edit_is_announced_and_checked_at_once(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form(PERSON)
    with qtbot.waitSignals([form.changed, form.checked]):
        QTest.keyClicks(target(form, "age"), "old")
    assert "Must be a whole number, is text" in labels(form)
    assert "is required" not in labels(form)


def test_asking_for_a_run_shows_every_error_and_leads_to_the_first(
    qtbot: QtBot, show_form: ShowForm
) -> None:
    form = show_form(PERSON)
    with qtbot.waitSignals([form.run_requested, form.checked]):
        target(form, "age").setFocus()
        QTest.keyClick(target(form, "age"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "'name' is required" in labels(form)
    assert form.first_invalid() is target(form, "name")


def test_form_and_json_are_two_views_of_one_value(qtbot: QtBot, show_form: ShowForm) -> None:
    value = {"name": "Ada", "extra": {"deep": [1, None]}, "age": 2**60}
    form = show_form(PERSON, value)
    QTest.mouseClick(form.json_button, LEFT)
    assert json.loads(form.json.text) == value
    form.json.set_text('{"name": "Bob", "age": "x", "extra": 1}')
    form.json.edited.emit()
    assert form.value() == {"name": "Bob", "age": "x", "extra": 1}
    QTest.mouseClick(form.form_button, LEFT)
    assert form.value() == {"name": "Bob", "age": "x", "extra": 1}
    assert "Must be a whole number, is text" in labels(form)


def test_json_that_is_wrong_stays_and_blocks_leaving(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form(PERSON, {"name": "Ada"})
    QTest.mouseClick(form.json_button, LEFT)
    form.json.editor.selectAll()
    QTest.keyClicks(form.json.editor, '{"name": ')
    assert [issue.severity for issue in form.issues()] == ["error"]
    QTest.mouseClick(form.form_button, LEFT)
    assert form.json_button.isChecked()
    assert form.json.isVisible()
    assert form.json.text == '{"name": '
    assert "The form cannot show this text" in labels(form)
    assert form.json.findings.item(0).text().startswith("Not valid JSON yet (line 1, column 10):")


def test_a_field_with_wrong_json_blocks_leaving_the_form(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form({"properties": {"j": {}}})
    QTest.keyClicks(target(form, "j"), "{oh")
    QTest.mouseClick(form.json_button, LEFT)
    assert form.form_button.isChecked()
    assert not form.json.isVisible()


def test_a_value_that_does_not_fit_its_field_is_shown_as_json_and_kept(
    show_form: ShowForm,
) -> None:
    value = {"name": ["not", "text"], "active": 1}
    form = show_form(PERSON, value)
    assert form.value() == value


def test_a_field_takes_its_own_shape_again_and_leaves_the_others_as_they_are(
    show_form: ShowForm,
) -> None:
    schema = {"properties": {"n": {"type": "integer", "default": 5}, "j": {"type": "object"}}}
    form = show_form(schema, {"n": ["odd"]})
    QTest.keyClicks(target(form, "j"), "{unfinished")
    row = next(row for row in form.findChildren(FieldRow) if row.node.spec.name == "n")
    row.apply(5)
    assert form.value() == {"n": 5}
    QTest.keyClicks(target(form, "n"), "0")
    assert form.value() == {"n": 50}
    assert "unfinished" in str(target(form, "j").property("plainText"))


def test_clearing_goes_back_to_the_untouched_form(show_form: ShowForm) -> None:
    form = show_form(PERSON, {"name": "Ada", "zz": 1})
    form.reveal_issues()
    form.clear()
    assert form.value() == {}
    assert "is required" not in labels(form)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        5,
        None,
        {"properties": {f"p{n}": {"type": "string"} for n in range(3000)}},
        {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"properties": {"": {"type": "string", "title": "<img>" * 500}}},
        {"properties": {"a": {"enum": [{"x": 1}] * 2000}}},
    ],
)
def test_any_schema_can_be_shown(show_form: ShowForm, schema: Any) -> None:
    form = show_form(schema)
    form.reveal_issues()
    assert isinstance(form.value(), dict)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real tools is not here")
def test_every_real_tool_can_be_drawn_and_sends_nothing_optional(
    qtbot: QtBot, theme: Theme
) -> None:
    for file in sorted(CORPUS.glob("*.json")):
        for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]:
            form = SchemaForm(tool["inputSchema"], theme)
            qtbot.addWidget(form)
            form.first_invalid()  # draws what was to be drawn later
            assert set(form.value()) <= set(tool["inputSchema"].get("required", ()))
            form.close()


def test_every_editor_has_an_accessible_name(show_form: ShowForm) -> None:
    form = show_form(PERSON, {"name": "Ada", "tags": ["x"], "zz": 1})
    rows = form.findChildren(FieldRow)
    assert all(row.field.target().accessibleName() for row in rows)


def test_odd_values_in_every_place_of_a_schema_do_no_harm(show_form: ShowForm) -> None:
    properties: dict[str, Any] = {
        "a": {"type": ["string", {"x": 1}, None]},
        "b": {"enum": [[1], {"a": [None]}], "enumNames": 5},
        "d": {"type": "string", "examples": [{"a": 1}], "format": {"x": 1}, "maxLength": -5},
        "e": {"const": {"deep": [1]}},
        "g": {"type": "integer", "default": {"a": 1}},
        "": {"type": "string"},
    }
    form = show_form({"properties": properties, "required": {"a": 1}})
    for row in form.findChildren(FieldRow):
        for action in field_actions(row.node):
            if action.label.startswith("Use default"):
                row.apply(action.value)
    form.reveal_issues()
    assert form.value() == {"g": {"a": 1}}
    assert "Must be a whole number, is an object" in labels(form)


def test_a_switch_keeps_values_that_python_takes_for_the_same(show_form: ShowForm) -> None:
    form = show_form({"properties": {"any": {}}}, {"any": 1})
    for text, value in (('{"any": true}', True), ('{"any": 1.0}', 1.0), ('{"any": 1}', 1)):
        assert form.show_json()
        form.json.set_text(text)
        assert form.show_form()
        assert repr(form.value()) == repr({"any": value})


def test_the_keyboard_switches_both_ways(show_form: ShowForm) -> None:
    form = show_form(PERSON, {"name": "Ada"})
    form.fields.focus_first()
    QTest.keyClick(focused(), Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert form.json.editor.hasFocus()
    QTest.keyClick(focused(), Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert focused() is target(form, "name")


def test_the_last_good_json_comes_back_with_a_click_and_the_text_with_undo(
    show_form: ShowForm,
) -> None:
    form = show_form(PERSON, {"name": "Ada"})
    form.show_json()
    form.json.editor.selectAll()
    QTest.keyClicks(form.json.editor, "{oh")
    assert not form.show_form()
    assert "The form cannot show this" in form.refusal.words.text()
    QTest.mouseClick(form.refusal.action, LEFT)
    assert form.refusal.isHidden()
    assert json.loads(form.json.text) == {"name": "Ada"}
    QTest.keyClick(form.json.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert form.json.text == "{oh"


def test_all_that_is_typed_goes_over_into_another_form(show_form: ShowForm) -> None:
    form = show_form({"properties": {"j": {}, "s": {"type": "string"}}}, {"s": "x"})
    QTest.keyClicks(target(form, "j"), "{oh")
    other = show_form({"properties": {"j": {}, "more": {"type": "string"}}})
    other.put_back(form.state())
    assert other.value() == {"s": "x"}
    assert other.is_unread
    assert not other.show_json()
    assert "A field contains invalid JSON" in other.refusal.words.text()
    assert target(other, "j").property("plainText") == "{oh"
    other.clear()
    assert other.show_json()
    other.json.set_text("[1, ")
    form.put_back(other.state())
    assert form.shows_json
    assert form.json.text == "[1, "


def test_live_findings_of_the_json_follow_the_typing(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form(PERSON)
    form.show_json()
    form.json.editor.selectAll()
    with qtbot.waitSignal(form.checked):
        QTest.keyClicks(form.json.editor, '{"age": "old"}')
    told = [finding.issue.path for finding in form.json.findings.findings]
    assert set(told) == {("name",), ("age",)}
    form.go_to(form.json.findings.findings[-1].issue)
    assert form.json.editor.hasFocus()


def test_a_pasted_object_outside_a_text_is_announced_and_inside_one_it_is_text(
    show_form: ShowForm,
) -> None:
    form = show_form(PERSON)
    asked: list[None] = []
    form.paste_requested.connect(lambda: asked.append(None))
    QApplication.clipboard().setText('{"name": "Ada"}')
    form.fields.focus_first()
    QTest.keyClick(focused(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert form.value() == {"name": '{"name": "Ada"}'}
    form.form_button.setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    form.fields.area.setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert len(asked) == 2


def test_a_long_form_is_searched_by_keyboard(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form({"properties": {f"field{n}": {"type": "string"} for n in range(20)}})
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    form.fields.focus_first()
    QTest.keyClick(focused(), Qt.Key.Key_F, both)
    assert focused() is form.bar.search
    QTest.keyClicks(focused(), "field17")
    qtbot.waitUntil(lambda: form.bar.count.text() == "1 of 20 fields")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert focused() is target(form, "field17")
    form.focus_search()
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    qtbot.waitUntil(target(form, "field0").isVisible)


def test_going_to_a_finding_ends_the_search_that_hides_it(show_form: ShowForm) -> None:
    form = show_form({"properties": {f"field{n}": {"type": "string"} for n in range(20)}})
    form.focus_search()
    QTest.keyClicks(focused(), "field17")
    form.go_to(ValidationIssue(("field3",), "type", "wrong"))
    assert focused() is target(form, "field3")
    assert target(form, "field0").isVisible()


def test_no_key_press_waits_for_the_check(qtbot: QtBot, theme: Theme) -> None:
    judged: list[object] = []
    form = SchemaForm(PERSON, theme, check=lambda value: judged.append(value) or [])
    qtbot.addWidget(form)
    form.show()
    qtbot.waitUntil(lambda: bool(judged))
    judged.clear()
    QTest.keyClicks(target(form, "name"), "quick")
    assert judged == []
    qtbot.waitUntil(lambda: judged == [{"name": "quick"}])


@pytest.mark.parametrize("name", HARD)
def test_a_hard_schema_is_shown_and_showing_it_changes_no_value(
    show_form: ShowForm, name: str
) -> None:
    random = Random(3)
    form = show_form(HARD[name])
    for _ in range(2):
        value = draw_object(HARD[name], random, HARD[name], 0)
        form.set_value(value)
        form.reveal_issues()
        form.first_invalid()  # draws what was to be drawn later
        assert same_json(form.value(), value)
    assert all(row.field.target().accessibleName() for row in form.findChildren(FieldRow))


def test_a_megabyte_of_schema_does_not_stop_the_form(show_form: ShowForm) -> None:
    properties = {f"p{n}": {"type": "string", "description": "x" * 900} for n in range(1100)}
    form = show_form({"properties": properties})
    assert form.value() == {}
    assert "Too large for fields" in labels(form) or form.findChildren(QPlainTextEdit)
