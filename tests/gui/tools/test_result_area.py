from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from desktop.gui.tools.result_area import SMALL, WIDE
from desktop.gui.tools.tool_view import ToolView
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult, ValidationIssue
from tests.gui.focus import focused
from tests.gui.tools.fakes import NO_ARGUMENTS, TEXT_SCHEMA, FakeRunner, after, tool
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ToolDefinition

LONG = {"type": "object", "properties": {f"field{n}": {"type": "string"} for n in range(40)}}
ROWS = {"temperature": 36, "conditions": "Light rain", "humidity": 82}
NARROW_WINDOW = 480, 574
"""What a tool has of a window of 900 x 600."""
LOW_WINDOW = 480, 545


class Shown:
    """A view of one tool, and how its parts lie."""

    def __init__(self, view: ToolView, runner: FakeRunner) -> None:
        self.view, self.runner = view, runner

    async def run(self) -> None:
        self.view.run()
        await after(self.view.running_changed, lambda: None)
        await turns(10)

    @property
    def heights(self) -> tuple[int, int]:
        form, result = self.view.splitter.sizes()
        return form, result


class Show(Protocol):
    def __call__(self, definition: ToolDefinition, size: tuple[int, int]) -> Shown: ...


@pytest.fixture
def show(theme: Theme, qtbot: QtBot, settings: QSettings) -> Show:
    def make(definition: ToolDefinition, size: tuple[int, int]) -> Shown:
        runner = FakeRunner(definition)
        view = ToolView(definition, runner, theme, settings=settings)
        qtbot.addWidget(view)
        view.resize(*size)
        view.show()
        return Shown(view, runner)

    return make


ECHO = tool("one:echo", TEXT_SCHEMA)


async def test_form_and_result_stand_side_by_side_where_there_is_room(show: Show) -> None:
    shown = show(ECHO, (WIDE + 60, 600))
    await turns(10)
    view = shown.view
    assert view.splitter.is_wide
    assert view.below.x() >= view.bar.mapTo(view.splitter, view.bar.rect().topRight()).x()
    assert view.below.height() > 400
    view.resize(WIDE - 40, 600)
    await turns(10)
    assert not view.splitter.is_wide
    assert view.below.y() > view.bar.mapTo(view.splitter, QPoint()).y()


async def test_below_that_the_form_is_as_high_as_its_content(show: Show) -> None:
    for schema in (NO_ARGUMENTS, TEXT_SCHEMA):
        shown = show(tool("one:echo", schema), (600, 900))
        shown.view.form.set_value({"text": "x"} if schema is TEXT_SCHEMA else {})
        await shown.run()
        bar, area = shown.view.form.fields.area.verticalScrollBar(), shown.view.form.fields.area
        assert bar.maximum() == 0
        assert area.viewport().height() < shown.view.form.fields.content_height() + 20
        assert shown.heights[1] > 600


async def test_a_long_form_leaves_the_result_half_of_the_height(show: Show) -> None:
    shown = show(tool("one:long", LONG), (600, 900))
    await turns(10)
    assert shown.heights[1] <= SMALL  # nothing to show yet
    await shown.run()
    assert abs(shown.heights[0] - shown.heights[1]) < 20


async def test_a_form_that_leaves_enough_for_a_result_is_not_cut(show: Show) -> None:
    fields = {name: {"type": "string"} for name in ("first", "second", "third")}
    shown = show(tool("one:three", {"type": "object", "properties": fields}), (740, 680))
    await shown.run()
    bar = shown.view.form.fields.area.verticalScrollBar()
    assert shown.heights[0] > shown.heights[1] > SMALL
    assert bar.maximum() == 0


async def test_in_the_smallest_window_a_result_can_be_read_after_a_run(show: Show) -> None:
    for schema in (NO_ARGUMENTS, TEXT_SCHEMA, LONG):
        shown = show(tool("one:tool", schema), NARROW_WINDOW)
        shown.runner.result = ToolResult(success=True, output="line\n" * 30)
        shown.view.form.set_value({"text": "x"} if schema is TEXT_SCHEMA else {})
        await shown.run()
        assert shown.view.result is not None
        editor = shown.view.result.text.editor
        assert editor.viewport().height() / editor.fontMetrics().lineSpacing() > 9


async def test_a_structured_result_shows_its_rows_without_a_click(show: Show) -> None:
    """At 1120 x 720 a tool has 723 x 694."""
    definition = tool("one:weather", TEXT_SCHEMA, output_schema={"type": "object"})
    shown = show(definition, (723, 694))
    text = Content("text", '{"temperature": 36, "conditions": "Light rain", "humidity": 82}')
    shown.runner.result = ToolResult(
        True, text.text, structured=ROWS, content=(text,), output_issues=()
    )
    shown.view.form.set_value({"text": "x"})
    await shown.run()
    assert shown.view.result is not None
    shown_json = shown.view.result.values.json
    assert shown_json is not None
    editor = shown_json.editor
    assert editor.blockCount() == 5
    assert editor.verticalScrollBar().maximum() == 0
    assert editor.visibleRegion().boundingRect().height() > 5 * editor.fontMetrics().height()


async def test_the_division_is_dragged_and_remembered(show: Show) -> None:
    first = show(ECHO, (1000, 600))
    await turns(10)
    splitter = first.view.splitter
    handle, before = splitter.handle(1), splitter.sizes()
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(handle, middle + QPoint(120, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle + QPoint(120, 0))
    dragged = splitter.sizes()
    assert dragged[0] > before[0] + 60
    again = show(ECHO, (1000, 600))
    await turns(10)
    assert abs(again.view.splitter.sizes()[0] - dragged[0]) < 5


@pytest.mark.parametrize("kept", ["nonsense", "7", b"\0"])
async def test_a_division_that_makes_no_sense_is_not_used(
    show: Show, settings: QSettings, kept: object
) -> None:
    settings.setValue("tools/form_sides", kept)
    shown = show(ECHO, (1000, 600))
    await turns(10)
    assert 300 < shown.view.splitter.sizes()[0] < 700


async def test_a_short_form_has_run_right_below_it(show: Show) -> None:
    shown = show(ECHO, (1000, 900))
    await turns(10)
    view = shown.view
    row = view.form.fields.row_at(("text",))
    assert row is not None
    field = row.mapTo(view, row.rect().bottomLeft()).y()
    assert 0 < view.bar.run.mapTo(view, QPoint()).y() - field < 60


async def test_where_there_is_little_height_the_description_makes_room(show: Show) -> None:
    definition = tool("one:tool", TEXT_SCHEMA, description="What it does.")
    shown = show(definition, (560, 390))
    shown.runner.result = ToolResult(success=True, output="line")
    shown.view.form.set_value({"text": "x"})
    await shown.run()
    assert not shown.view.header.description.isVisible()
    QTest.mouseClick(shown.view.bar.other, Qt.MouseButton.LeftButton)
    await turns(10)
    area, run = shown.view.form.fields.area, shown.view.bar.run
    below = area.mapTo(shown.view, area.rect().bottomLeft()).y()
    assert run.mapTo(shown.view, run.rect().topLeft()).y() >= below
    shown.view.resize(560, 600)
    assert shown.view.header.description.isVisible()


async def test_a_cancelled_call_is_said_where_its_result_would_be(show: Show) -> None:
    shown = show(ECHO, (600, 600))
    shown.view.form.set_value({"text": "x"})
    shown.runner.may_end.clear()
    shown.view.run()
    await shown.runner.started.wait()
    await after(shown.view.running_changed, shown.view.bar.cancel.click)
    (words,) = [label.text() for label in shown.view.below.findChildren(QLabel)]
    assert words == "Cancelled"


# --- where there is little height -------------------------------------------------------------

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
async def low(show: Show) -> Shown:
    """A long form and its result in the lowest window, run from the keyboard."""
    shown = show(tool("one:long", LONG), LOW_WINDOW)
    shown.view.activateWindow()
    shown.runner.result = ToolResult(success=True, output="line\n" * 30)
    await turns(10)
    shown.view.focus_form()
    QTest.keyClicks(focused(), "x")
    QTest.keyClick(focused(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await after(shown.view.running_changed, lambda: None)
    await turns(10)
    return shown


def fields(shown: Shown) -> QWidget:
    return shown.view.form.fields.area


async def test_in_a_low_window_the_form_gives_way_to_its_result(low: Shown) -> None:
    view = low.view
    assert not fields(low).isVisible()
    assert view.bar.run.isVisible()
    assert view.tabs.tabBar().isVisible()
    assert low.heights[0] < 100
    assert low.heights[1] > 340
    assert not view.bar.clear.isVisible()  # it would empty what is not seen
    assert focused() is view.bar.other
    assert view.bar.other.text() == "Edit arguments"


async def test_one_key_leads_back_to_the_form_and_to_the_result(low: Shown) -> None:
    view = low.view
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    await turns(10)
    assert fields(low).isVisible()
    assert fields(low).isAncestorOf(focused())
    assert low.heights[0] > 340
    assert view.bar.other.text() == "Show result"
    for is_form in (False, True):
        QTest.keyClick(focused(), Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        await turns(10)
        assert fields(low).isVisible() is is_form
    assert view.form.value() == {"field0": "x"}


@pytest.mark.parametrize("way", ["click", "tab", "problem", "fill"])
async def test_whatever_needs_the_form_brings_it_back(low: Shown, way: str) -> None:
    view = low.view
    if way == "click":
        QTest.mouseClick(view.bar.other, LEFT)
    elif way == "tab":
        QTest.mouseClick(view.tabs.tabBar(), LEFT, pos=view.tabs.tabBar().tabRect(0).center())
    elif way == "fill":
        view.fill({"field0": "y"})
    else:
        low.runner.problems = [ValidationIssue(("field3",), "rule", "Not on a Sunday")]
        QTest.mouseClick(view.bar.run, LEFT)
    await turns(10)
    assert fields(low).isVisible()
    assert low.heights[0] > 300


async def test_another_tab_has_the_room_of_the_form(low: Shown) -> None:
    bar = low.view.tabs.tabBar()
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(1).center())
    await turns(10)
    assert low.view.tabs.schema.isVisible()
    assert low.heights[0] > 340
    QTest.mouseClick(low.view.bar.other, LEFT)
    await turns(10)
    assert not low.view.tabs.schema.isVisible()


async def test_a_form_whose_arguments_were_wrong_stays_beside_the_error(low: Shown) -> None:
    low.runner.result = ToolResult(
        False, error=ToolError("ToolError", "Not on a Sunday", ErrorCode.TOOL_ERROR)
    )
    QTest.mouseClick(low.view.bar.other, LEFT)
    await turns(10)
    field = focused()
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await after(low.view.running_changed, lambda: None)
    await turns(10)
    assert focused() is field
    assert field.isVisible()
    assert low.view.result is not None
    error = low.view.result.error
    assert error.isVisible()
    assert error.height() >= error.heightForWidth(error.width()) > 0
    assert abs(low.heights[0] - low.heights[1]) < 20


async def test_a_form_that_is_typed_in_while_its_call_runs_stays(show: Show) -> None:
    shown = show(tool("one:long", LONG), NARROW_WINDOW)
    shown.view.activateWindow()
    await turns(10)
    shown.view.focus_form()
    shown.runner.may_end.clear()
    shown.view.run()
    await shown.runner.started.wait()
    QTest.keyClicks(focused(), "next")
    await after(shown.view.running_changed, shown.runner.may_end.set)
    await turns(10)
    assert fields(shown).isVisible()
    assert shown.view.form.value() == {"field0": "next"}


async def test_the_division_a_person_chose_wins_until_it_is_undone(low: Shown) -> None:
    splitter = low.view.splitter
    handle, middle = splitter.handle(1), splitter.handle(1).rect().center()
    QTest.mousePress(handle, LEFT, pos=middle)
    QTest.mouseMove(handle, middle + QPoint(0, 130))
    QTest.mouseRelease(handle, LEFT, pos=middle + QPoint(0, 130))
    await turns(10)
    assert fields(low).isVisible()
    assert not low.view.bar.other.isVisible()
    before = low.heights
    assert 190 < before[0] < 250
    await low.run()
    assert low.heights == before
    QTest.mouseDClick(splitter.handle(1), LEFT)
    QTest.mouseRelease(splitter.handle(1), LEFT)
    await turns(10)
    assert not fields(low).isVisible()


async def test_with_height_for_both_neither_gives_way(low: Shown) -> None:
    low.view.resize(480, 900)
    await turns(10)
    assert fields(low).isVisible()
    assert not low.view.bar.other.isVisible()
    assert low.view.bar.clear.isVisible()


async def test_keys_pass_over_a_form_that_is_folded(low: Shown) -> None:
    for _ in range(12):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        assert not low.view.tabs.pages.isAncestorOf(focused())
