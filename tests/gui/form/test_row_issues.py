from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.model import FormModel
from desktop.gui.form.row_issues import RowIssues
from desktop.tool_types import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext

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
    speaking = told.tell([wrong, inside, nowhere], rows, model, is_revealed=True)
    assert speaking == rows
    assert [row.message.text() for row in rows] == ["Must be text", "Deep[0]: must be 5"]
    assert told.unplaced == (nowhere,)
    assert told.tell([], rows, model, is_revealed=True) == []
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
    assert told.tell([wrong], [row], model, is_revealed=False) == []
    assert told.tell([wrong, odd], [row], model, is_revealed=False) == [row]
    assert row.message.text() == "Is odd"
