from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.object_field import MapEditor, MapEntryRow
from desktop.gui.widgets.focus_guard import focus_guard_of
from tests.gui.focus import focused
from tests.gui.form.conftest import labels
from tests.gui.form.hard_schemas import HARD

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from desktop.gui.form.schema_form import SchemaForm
    from tests.gui.form.conftest import ShowForm


def test_the_value_changes_its_kind_with_the_key(qtbot: QtBot, context: FormContext) -> None:
    owner = FormModel(HARD["free keys of a pattern"]).find(("x",))
    assert isinstance(owner, ObjectNode)
    entry = owner.add_entry()
    row = MapEntryRow(entry, owner, context)
    qtbot.addWidget(row)
    row.show()
    QTest.keyClicks(row.key_edit, "n1")
    assert type(row.row.field).__name__ == "NumberField"
    QTest.keyClick(row.key_edit, Qt.Key.Key_Return)
    QTest.keyClicks(row.row.field.target(), "5")
    assert owner.value() == {"n1": 5}
    row.key_edit.selectAll()
    QTest.keyClicks(row.key_edit, "other")
    row.show_state()
    assert "must match ^s or ^n" in labels(row)
    assert row.key_edit.property("role") == "invalid"
    assert row.remove_button.accessibleName() == "Remove other"


LEFT = Qt.MouseButton.LeftButton
ENV: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}


def editor(form: SchemaForm) -> MapEditor:
    return form.findChildren(MapEditor)[0]


def test_the_keyboard_alone_adds_names_fills_in_and_removes(show_form: ShowForm) -> None:
    form = show_form({"properties": {"env": ENV}})
    assert form.value() == {}
    editor(form).add_button.setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    QTest.keyClicks(focused(), "HOME")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    QTest.keyClicks(focused(), "/root")
    assert form.value() == {"env": {"HOME": "/root"}}
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert focused().accessibleName() == "Remove HOME"
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert form.value() == {"env": {"HOME": "/root"}}  # the button came a moment ago
    guard = focus_guard_of(focused())
    assert guard is not None
    guard.arm()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert form.value() == {"env": {}}
    assert "The object is empty." in labels(form)


def test_a_key_twice_is_said_at_the_key_and_stops_the_run(show_form: ShowForm) -> None:
    form = show_form({"properties": {"env": ENV}}, {"env": {"A": "1"}})
    QTest.mouseClick(editor(form).add_button, LEFT)
    QTest.keyClicks(focused(), "A")
    row = editor(form).rows[1]
    assert row.problem.isVisible()
    assert row.problem.text() == "The name already exists"
    assert form.value() == {"env": {"A": "1"}}
    assert [issue.severity for issue in form.issues()] == ["error"]


def test_a_full_object_says_why_it_takes_no_more(show_form: ShowForm) -> None:
    form = show_form({"properties": {"env": {**ENV, "maxProperties": 1}}}, {"env": {"A": "1"}})
    assert not editor(form).add_button.isEnabled()
    assert editor(form).add_button.text() == "Maximum of 1 property reached"


def test_undeclared_properties_of_the_arguments_are_shown_and_can_be_taken_out(
    show_form: ShowForm,
) -> None:
    form = show_form({"properties": {"a": {}}}, {"a": 1, "typo": 2})
    assert "Other properties" in labels(form)
    assert not editor(form).add_button.isVisible()
    QTest.mouseClick(editor(form).rows[0].remove_button, LEFT)
    assert form.value() == {"a": 1}
