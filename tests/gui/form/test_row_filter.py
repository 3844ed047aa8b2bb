from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.fields_view import MIN_FOLDED_FIELDS
from desktop.gui.form.schema_form import SchemaForm
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.form.conftest import ShowForm

LEFT = Qt.MouseButton.LeftButton


def schema(optional: int, **more: Any) -> dict[str, Any]:
    properties: dict[str, Any] = {"need": {"type": "string"}}
    properties |= {f"opt{n}": {"type": "integer", "minimum": 5} for n in range(optional)}
    return {"properties": properties | more, "required": ["need"]}


def seen(form: SchemaForm) -> list[str]:
    """The names of the fields in sight."""
    rows = form.findChildren(FieldRow)
    return [row.node.spec.name for row in rows if row.isVisible()]


def test_many_optional_fields_are_folded_and_unfold_with_a_click(show_form: ShowForm) -> None:
    form = show_form(schema(12))
    button = form.fields.fold_button
    assert button is not None
    assert seen(form) == ["need"]
    assert button.text() == "Show 12 more optional fields"
    QTest.mouseClick(button, LEFT)
    assert len(seen(form)) == 13
    QTest.mouseClick(button, LEFT)
    assert seen(form) == ["need"]


@pytest.mark.parametrize(
    "shape",
    [schema(MIN_FOLDED_FIELDS), {"properties": {f"o{n}": {"type": "string"} for n in range(12)}}],
)
def test_few_fields_or_only_optional_ones_are_all_in_sight(
    show_form: ShowForm, shape: dict[str, Any]
) -> None:
    form = show_form(shape)
    assert form.fields.fold_button is None
    assert len(seen(form)) == len(shape["properties"])


def test_a_field_with_a_value_is_never_folded(show_form: ShowForm) -> None:
    form = show_form(schema(12), {"opt3": 7, "opt5": None})
    assert seen(form) == ["need", "opt3", "opt5"]
    assert form.fields.fold_button is not None
    assert form.fields.fold_button.text() == "Show 10 more optional fields"


def test_a_folded_field_with_a_finding_comes_into_sight(qtbot: QtBot, theme: Theme) -> None:
    missing = ValidationIssue(("opt4",), "rule", "is needed here")
    form = SchemaForm(schema(12), theme, check=lambda _: [missing])
    qtbot.addWidget(form)
    form.show()
    form.reveal_issues()
    assert seen(form) == ["need", "opt4"]


def test_what_was_unfolded_stays_so_when_values_come(qtbot: QtBot, show_form: ShowForm) -> None:
    form = show_form(schema(12))
    form.fields.unfold(is_open=True)
    form.set_value({"need": "x"})
    qtbot.waitUntil(lambda: len(seen(form)) == 13)


NESTED = schema(
    3,
    inner={
        "type": "object",
        "properties": {
            "street": {"type": "string", "description": "Where the house is"},
            "town": {"type": "string"},
        },
    },
    items={
        "type": "array",
        "items": {"type": "object", "properties": {"colour": {"type": "string"}}},
    },
)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("opt2", ["opt2"]),
        ("HOUSE where", ["inner", "street"]),
        ("town", ["inner", "town"]),
        ("inner", ["inner", "street", "town"]),
        ("colour", ["items"]),
        ("nothing has this", []),
        ("  ", ["need", "opt0", "opt1", "opt2", "inner", "street", "town", "items"]),
    ],
)
def test_a_search_shows_what_has_the_words_with_what_is_around_and_inside(
    show_form: ShowForm, query: str, names: list[str]
) -> None:
    form = show_form(NESTED, {"inner": {}})
    form.fields.search_rows(query)
    assert [name for name in seen(form) if name] == names
    assert form.fields.nothing_found.isVisible() == (names == [])


def test_an_item_that_is_added_during_a_search_is_in_sight(show_form: ShowForm) -> None:
    form = show_form(schema(2, tags={"type": "array", "items": {"type": "string"}}))
    form.fields.search_rows("tags")
    row = next(row for row in form.findChildren(FieldRow) if row.node.spec.name == "tags")
    QTest.mouseClick(row.field.target(), LEFT)
    assert seen(form) == ["tags", ""]
