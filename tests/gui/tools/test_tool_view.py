from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.gui.tools.result_area import ResultArea
from desktop.gui.tools.tool_view import ToolView
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import Progress, ToolResult, ValidationIssue
from tests.gui.focus import focused
from tests.gui.tools.fakes import TEXT_SCHEMA, FakeRunner, after, tool
from tests.gui.waiting import arm, turns
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import CallStep, JsonObject


def test_it_says_what_there_will_be_until_there_is_something_to_show(
    theme: Theme, qtbot: QtBot
) -> None:
    area = ResultArea(theme)
    qtbot.addWidget(area)
    area.show()
    assert not area.is_in_use
    assert "No result yet" in area.findChildren(QLabel)[0].text()
    area.set_running(True)
    assert area.is_in_use
    assert "Running" in area.findChildren(QLabel)[0].text()
    area.show_result(ToolResult(success=True, output="done"), "echo")
    area.set_running(False)
    assert area.is_in_use


LEFT = Qt.MouseButton.LeftButton
ECHO = tool("one:echo", TEXT_SCHEMA, output_schema={"type": "object", "title": "Out"})


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(ECHO)


@pytest.fixture
def view(runner: FakeRunner, theme: Theme, qtbot: QtBot) -> ToolView:
    made = ToolView(ECHO, runner, theme)
    qtbot.addWidget(made)
    made.resize(700, 700)
    made.show()
    made.activateWindow()
    return made


def test_both_schemas_are_shown_as_json(view: ToolView) -> None:
    tab = view.tabs.schema
    view.tabs.setCurrentWidget(tab)
    assert tab.text is not None
    assert tab.segments is not None
    for button, words in zip(tab.segments.buttons, ('"required"', '"Out"'), strict=True):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert words in tab.text.editor.toPlainText()
        assert tab.text.editor.isReadOnly()


def test_without_an_output_schema_the_input_alone_is_shown(view: ToolView) -> None:
    tab = view.tabs.schema
    view.tabs.setCurrentWidget(tab)
    assert tab.text is not None
    assert tab.segments is not None
    QTest.mouseClick(tab.segments.buttons[1], Qt.MouseButton.LeftButton)
    view.set_tool(replace(ECHO, output_schema=None))
    assert not tab.segments.isVisible()
    assert '"required"' in tab.text.editor.toPlainText()


def test_a_new_schema_keeps_what_was_typed(view: ToolView) -> None:
    view.form.set_value({"text": "typed"})
    more = {**TEXT_SCHEMA, "properties": {**TEXT_SCHEMA["properties"], "n": {"type": "integer"}}}
    before = view.form
    view.set_tool(replace(ECHO, input_schema=more))
    assert view.form is not before
    assert view.form.value() == {"text": "typed"}


def test_what_the_executor_finds_wrong_is_not_sent_either(
    view: ToolView, runner: FakeRunner
) -> None:
    runner.problems = [ValidationIssue((), "rule", "Not on a Sunday")]
    view.form.set_value({"text": "x"})
    view.run()
    assert runner.calls == []
    (said,) = view.form.json.findings.findings
    assert said.issue.message == "Not on a Sunday"
    assert view.form.json.findings.isVisible()


class CountedTool(OneTool):
    """Remembers what it was to validate."""

    def __init__(self) -> None:
        super().__init__("one", "echo")
        self.definition = ECHO
        self.validated: list[JsonObject] = []

    def validate(self, arguments: JsonObject) -> list[ValidationIssue]:
        self.validated.append(arguments)
        return super().validate(arguments)


@pytest.mark.parametrize("is_json", [False, True])
@pytest.mark.parametrize("by_key", [False, True])
async def test_one_press_validates_once_and_sends_what_was_validated(
    theme: Theme, qtbot: QtBot, is_json: bool, by_key: bool
) -> None:
    counted, registry = CountedTool(), ToolRegistry()
    registry.set_server("one", [counted])
    view = ToolView(ECHO, ToolExecutor(registry), theme)
    qtbot.addWidget(view)
    view.show()
    view.activateWindow()
    if is_json:
        view.form.show_json()
    await turns()

    def press() -> None:
        counted.validated.clear()
        if by_key:
            row = view.form.fields.row_at(("text",))
            assert row is not None
            field = view.form.json.editor if is_json else row.field.target()
            field.setFocus()
            QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        else:
            QTest.mouseClick(view.bar.run, LEFT)

    press()
    assert counted.validated == [{}]
    assert counted.calls == []
    view.form.set_value({"text": "x"})
    press()
    await after(view.running_changed, lambda: None)
    assert counted.validated == [{"text": "x"}]
    assert [arguments for arguments, *_ in counted.calls] == [{"text": "x"}]


async def test_a_warning_does_not_stop_a_call(view: ToolView, runner: FakeRunner) -> None:
    runner.problems = [ValidationIssue((), "rule", "Odd", severity="warning")]
    view.form.set_value({"text": "x"})
    view.run()
    await after(view.running_changed, lambda: None)
    assert len(runner.calls) == 1


async def test_a_second_run_waits_for_the_first(view: ToolView, runner: FakeRunner) -> None:
    runner.may_end.clear()
    runner.progress = [Progress(1, 2)]
    view.form.set_value({"text": "x"})
    view.run()
    await runner.started.wait()
    view.run()
    await after(view.running_changed, runner.may_end.set)
    assert len(runner.calls) == 1


async def test_a_view_that_is_destroyed_cancels_its_call(
    runner: FakeRunner, theme: Theme, qtbot: QtBot
) -> None:
    runner.may_end.clear()
    view = ToolView(tool("one:ping"), runner, theme)
    view.run()
    await runner.started.wait()
    await after(view.destroyed, view.deleteLater)
    assert view.is_running  # the wrapper is all that is left, and it was not touched


def test_clear_empties_the_form(view: ToolView) -> None:
    view.form.set_value({"text": "typed"})
    QTest.mouseClick(view.bar.clear, Qt.MouseButton.LeftButton)
    assert view.form.value() == {}


def said_of_text(view: ToolView) -> int:
    """How often it is said that a text is missing, where a person sees it."""
    shown = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    shown += [button.text() for button in view.findChildren(QPushButton) if button.isVisible()]
    return sum("required" in words for words in shown)


def test_run_says_how_much_is_missing_and_leads_to_the_first(
    view: ToolView, runner: FakeRunner, qtbot: QtBot
) -> None:
    QTest.mouseClick(view.bar.run, LEFT)
    assert runner.calls == []
    assert view.issues.words.text() == "Not sent. One thing to correct."
    assert said_of_text(view) == 1
    view.bar.run.setFocus()
    QTest.mouseClick(view.issues.action, LEFT)
    row = view.form.fields.row_at(("text",))
    assert row is not None
    assert row.field.target().hasFocus()
    QTest.keyClicks(row.field.target(), "x")
    qtbot.waitUntil(view.issues.isHidden)


# --- send anyway ------------------------------------------------------------------------------


async def test_its_button_is_whole_where_the_words_beside_it_have_no_room(view: ToolView) -> None:
    view.bar.offer_anyway(ValidationIssue((), "rule", "is required"))
    view.bar.say("The server may refuse it. " * 10)
    await turns()
    for button in (view.bar.run, view.bar.anyway, view.bar.clear):
        assert button.width() >= button.sizeHint().width()
    assert view.bar.minimumSizeHint().width() < 500


async def test_sending_anyway_is_offered_only_once_run_was_refused(view: ToolView) -> None:
    anyway = view.bar.anyway
    assert not anyway.isVisible()
    view.bar.run.setFocus()
    QTest.mouseClick(view.bar.run, LEFT)
    assert anyway.isVisible()
    assert not view.is_running
    assert view.bar.message.text() == "The server may refuse it."
    described = anyway.accessibleDescription()
    assert described == "'text' is required. The server may refuse it."
    assert said_of_text(view) == 1
    assert not anyway.hasFocus()
    assert not anyway.isDefault()
    assert not anyway.autoDefault()
    row = view.form.fields.row_at(("text",))
    assert row is not None
    QTest.keyClicks(row.field.target(), "x")
    await after(view.form.checked, lambda: None)
    assert not anyway.isVisible()
    assert view.bar.message.text() == ""


async def test_sending_anyway_sends_what_is_there_unchecked(
    view: ToolView, runner: FakeRunner
) -> None:
    view.form.set_value({"n": 1})
    QTest.mouseClick(view.bar.run, LEFT)
    QTest.mouseClick(view.bar.anyway, LEFT)
    assert not view.bar.anyway.isVisible()
    assert view.issues.isHidden()
    await after(view.running_changed, lambda: None)
    (call,) = runner.calls
    assert (call.arguments, call.validate, call.origin) == ({"n": 1}, False, "person")


async def test_the_keyboard_reaches_it_behind_run_and_stays_with_the_call(
    view: ToolView, runner: FakeRunner, qtbot: QtBot
) -> None:
    runner.may_end.clear()
    view.run()
    view.bar.run.setFocus()
    qtbot.waitUntil(view.bar.run.hasFocus)
    QTest.keyClick(view.bar.run, Qt.Key.Key_Tab)
    assert focused() is view.bar.anyway
    arm(view.bar.anyway)  # once it has been there for a while
    QTest.keyClick(view.bar.anyway, Qt.Key.Key_Space)
    assert focused() is view.bar.cancel
    await runner.started.wait()
    assert [call.validate for call in runner.calls] == [False]
    await after(view.running_changed, runner.may_end.set)
    assert focused() is view.bar.run


async def test_what_fits_by_now_is_sent_as_a_checked_call(
    view: ToolView, runner: FakeRunner
) -> None:
    view.run()
    assert view.bar.anyway.isVisible()
    view.form.set_value({"text": "x"})
    QTest.mouseClick(view.bar.anyway, LEFT)  # before the pause after which it is looked at
    await after(view.running_changed, lambda: None)
    assert [(call.arguments, call.validate) for call in runner.calls] == [({"text": "x"}, True)]


async def test_text_that_is_not_json_cannot_be_sent_anyway(view: ToolView) -> None:
    view.run()
    view.form.show_json()
    assert view.bar.anyway.isVisible()
    view.form.json.editor.setPlainText('{"text": NaN}')
    QTest.mouseClick(view.bar.anyway, LEFT)
    assert not view.is_running
    assert not view.bar.anyway.isVisible()
    assert view.issues.isVisible()
    view.run()
    assert not view.bar.anyway.isVisible()


async def test_a_field_whose_text_is_not_json_is_not_left_out_by_sending_anyway(
    view: ToolView,
) -> None:
    more: JsonObject = {**TEXT_SCHEMA, "properties": {**TEXT_SCHEMA["properties"], "any": {}}}
    view.set_tool(replace(ECHO, input_schema=more))
    view.run()
    row = view.form.fields.row_at(("any",))
    assert row is not None
    QTest.keyClicks(row.field.target(), "{")
    QTest.mouseClick(view.bar.anyway, LEFT)
    assert not view.is_running
    assert not view.bar.anyway.isVisible()


@pytest.mark.parametrize("gone", ["clear", "dismiss", "tool"])
async def test_it_goes_with_what_was_refused(view: ToolView, gone: str) -> None:
    view.run()
    if gone == "clear":
        QTest.mouseClick(view.bar.clear, LEFT)
    elif gone == "dismiss":
        QTest.mouseClick(view.issues.dismiss, LEFT)
    else:
        view.set_tool(None)
        QTest.mouseClick(view.bar.anyway, LEFT)
    assert not view.bar.anyway.isVisible() or not view.bar.anyway.isEnabled()
    assert not view.is_running


async def test_the_result_of_an_unchecked_call_says_so(view: ToolView, runner: FakeRunner) -> None:
    runner.result = replace(runner.result, is_unchecked=True)
    view.run()
    view.send_anyway()
    await after(view.running_changed, lambda: None)
    assert view.result is not None
    assert view.result.status.unchecked.isVisible()
    runner.result = replace(runner.result, is_unchecked=False)
    view.form.set_value({"text": "x"})
    view.run()
    await after(view.running_changed, lambda: None)
    assert not view.result.status.unchecked.isVisible()


async def test_a_real_executor_sends_it_and_tells_what_did_not_fit(
    theme: Theme, qtbot: QtBot
) -> None:
    counted, registry = CountedTool(), ToolRegistry()
    registry.set_server("one", [counted])
    executor = ToolExecutor(registry)
    steps: list[CallStep] = []
    executor.stepped.connect(steps.append)
    view = ToolView(ECHO, executor, theme)
    qtbot.addWidget(view)
    view.show()
    view.run()
    view.send_anyway()
    await after(view.running_changed, lambda: None)
    assert [arguments for arguments, *_ in counted.calls] == [{}]
    (unchecked,) = [step for step in steps if step.step == "unchecked"]
    assert [issue.where for issue in unchecked.issues] == ["text"]
    assert view.result is not None
    assert view.result.status.unchecked.isVisible()


def test_clearing_can_be_taken_back(view: ToolView) -> None:
    view.form.set_value({"text": "typed"})
    QTest.mouseClick(view.bar.clear, LEFT)
    QTest.mouseClick(view.replaced.action, LEFT)
    assert view.form.value() == {"text": "typed"}


def test_a_new_schema_keeps_text_that_is_not_json_yet(view: ToolView) -> None:
    view.form.show_json()
    view.form.json.set_text('{"text": ')
    more = {**TEXT_SCHEMA, "title": "new"}
    view.set_tool(replace(ECHO, input_schema=more))
    assert view.form.shows_json
    assert view.form.json.text == '{"text": '


def test_a_tool_that_is_gone_is_still_checked_by_what_it_was(view: ToolView) -> None:
    view.set_tool(None)
    assert [issue.path for issue in view.form.issues()] == [("text",)]
    assert not view.gone.dismiss.isVisible()


def test_saving_and_earlier_calls_are_offered_where_somebody_listens(
    view: ToolView, qtbot: QtBot
) -> None:
    menu = view.menu
    menu.offer_requested.emit()
    assert not menu.save.isVisible()
    told: list[object] = []

    def note(*call: object) -> None:
        told.append(call)

    view.save_requested.connect(note)
    view.history_requested.connect(told.append)
    menu.offer_requested.emit()
    assert menu.save.isVisible()
    view.form.set_value({"text": "x", "big": 2**80})
    menu.save.trigger()
    menu.history.trigger()
    assert told == [("one:echo", {"text": "x", "big": 2**80}), "one:echo"]
