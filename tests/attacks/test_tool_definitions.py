"""Tools whose definitions are small on the wire and large on the screen, or just very large."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from desktop.gui.form.model.form_model import MAX_FIELDS, FormModel
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.theme import Theme
from desktop.tools.validation import validate
from desktop.tools.validation.validator import MAX_SCHEMA_PARTS
from tests.attacks.measure import Cost, processor_time

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LEVELS = 30


def exponential(width: int) -> dict[str, Any]:
    """A few kB that are `width` to the power of 30 fields, all of them required."""
    definitions: dict[str, Any] = {f"d{LEVELS}": {"type": "string"}}
    names = [f"p{number}" for number in range(width)]
    for level in range(LEVELS):
        inner = {"$ref": f"#/$defs/d{level + 1}"}
        definitions[f"d{level}"] = {
            "type": "object",
            "properties": dict.fromkeys(names, inner),
            "required": names,
        }
    return {
        "type": "object",
        "$defs": definitions,
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "required": ["a"],
    }


def filled(width: int, levels: int) -> Any:
    if not levels:
        return "x"
    return {f"p{number}": filled(width, levels - 1) for number in range(width)}


@pytest.fixture(scope="module")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, "light")


def turned(cost: Cost, work: Any = None) -> Cost:
    """Let the loop turn until nothing is left to do; the cost of it all, its longest turn too."""
    began = time.thread_time()
    for turn in range(300):
        before = time.thread_time()
        if not turn and work is not None:
            work()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        cost.longest_block = max(cost.longest_block, time.thread_time() - before)
    cost.processor += time.thread_time() - began
    return cost


@pytest.mark.qt_log_ignore("propagateSizeHints")
@pytest.mark.parametrize("width", [2, 6])
def test_the_form_of_an_exponential_schema_is_drawn_in_bounded_time(
    width: int, qtbot: QtBot, theme: Theme
) -> None:
    form = SchemaForm(exponential(width), theme)
    qtbot.addWidget(form)
    cost = turned(Cost(), form.show)
    cost = turned(cost, form.reveal_issues)
    assert form.fields.field_count < MAX_FIELDS
    assert cost.longest_block < 1
    assert cost.processor < 4


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_an_exponential_schema_that_is_filled_in_is_drawn_in_bounded_time(
    qtbot: QtBot, theme: Theme
) -> None:
    form = SchemaForm(exponential(2), theme)
    qtbot.addWidget(form)
    form.show()
    value = {"a": filled(2, 8)}
    cost = turned(Cost(), lambda: form.set_value(value))
    assert form.value() == value
    assert cost.longest_block < 2
    assert cost.processor < 8


def test_a_list_of_twenty_rows_keeps_its_fields() -> None:
    row = {"type": "object", "properties": {name: {"type": "string"} for name in "abcd"}}
    model = FormModel({"type": "object", "properties": {"rows": {"type": "array", "items": row}}})
    model.set_value({"rows": [dict.fromkeys("abcd", "x")] * 20})
    assert sum(1 for _ in model.walk()) == 1 + 1 + 20 + 80


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_200_000_properties_are_one_json_field_and_are_not_compiled(
    qtbot: QtBot, theme: Theme
) -> None:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(200_000)}}
    validate({"type": "object"}, {})  # the import is not what is measured
    with processor_time() as made:
        form = SchemaForm(schema, theme)
    qtbot.addWidget(form)
    cost = turned(Cost(), form.show)
    cost = turned(cost, form.reveal_issues)
    assert made.processor < 0.8
    assert cost.longest_block < 0.8
    (issue,) = form.issues()
    assert (issue.severity, f"more than {MAX_SCHEMA_PARTS} parts" in issue.message) == (
        "warning",
        True,
    )


def test_a_large_schema_is_still_checked() -> None:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(20_000)}}
    assert [issue.code for issue in validate(schema, {"p7": 1})] == ["type"]
