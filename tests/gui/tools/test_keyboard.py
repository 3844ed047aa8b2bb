"""A tool is found, filled in, run and cancelled by keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from desktop.gui.widgets.enter_key import EnterKey
from tests.gui.focus import focused
from tests.gui.tools.fakes import FakeRunner, after
from tests.gui.tools.tools_page import CONTROL, OTHER, choose, press_run, type_text, view
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from desktop.gui.tools.page import ToolsPage


async def test_a_tool_is_found_filled_in_and_run_by_keyboard_alone(
    page: ToolsPage, runner: FakeRunner
) -> None:
    QTest.keyClick(page, Qt.Key.Key_F, CONTROL)
    box = page.tool_list.search_box
    assert box.hasFocus()
    QTest.keyClicks(box, "echo")
    QTest.keyClick(box, Qt.Key.Key_Return)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    QTest.keyClicks(field, "hello")
    await after(
        view(page).running_changed,
        lambda: QTest.keyClick(field, Qt.Key.Key_Return, CONTROL),
    )
    await after(view(page).running_changed, lambda: None)
    assert [(call.key, call.arguments) for call in runner.calls] == [
        ("one:echo", {"text": "hello"})
    ]
    result = view(page).result
    assert result is not None
    assert result.text.editor.toPlainText() == "done"


async def test_tab_goes_from_the_search_to_the_list_the_fields_run_and_the_result(
    page: ToolsPage,
) -> None:
    choose(page, "echo")
    press = Qt.Key.Key_Tab
    type_text(page, "hello")
    await after(view(page).running_changed, lambda: press_run(page))
    await after(view(page).running_changed, lambda: None)
    page.tool_list.search_box.setFocus()
    zones = [page.tool_list.view, view(page).form.fields, view(page).bar.run, view(page).bar.clear]
    for zone in [*zones, view(page).below]:
        QTest.keyClick(focused(), press)
        assert zone is focused() or zone.isAncestorOf(focused()), zone
    while view(page).below.isAncestorOf(focused()):
        QTest.keyClick(focused(), press)
    assert page.tool_list.filters.isAncestorOf(focused())  # the rest of the page comes last


async def test_shift_tab_goes_back_from_run_to_the_last_field(page: ToolsPage) -> None:
    choose(page, "echo")
    view(page).bar.run.setFocus()
    QTest.keyClick(view(page).bar.run, Qt.Key.Key_Backtab)
    assert view(page).form.fields.isAncestorOf(focused())


async def test_enter_on_run_runs(page: ToolsPage, runner: FakeRunner) -> None:
    EnterKey(page)
    shown = choose(page, "ping")
    shown.bar.run.setFocus()
    await after(shown.running_changed, lambda: QTest.keyClick(shown.bar.run, Qt.Key.Key_Return))
    await after(shown.running_changed, lambda: None)
    assert [call.key for call in runner.calls] == ["one:ping"]


async def test_slash_focuses_the_search_but_can_be_typed_in_a_field(page: ToolsPage) -> None:
    choose(page, "echo").focus_form()
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    QTest.keyClick(field, Qt.Key.Key_Slash)
    assert view(page).form.value() == {"text": "/"}
    page.tool_list.view.setFocus()
    QTest.keyClick(page.tool_list.view, Qt.Key.Key_Slash)
    assert page.tool_list.search_box.hasFocus()


async def test_control_enter_runs_from_the_list_too(page: ToolsPage, runner: FakeRunner) -> None:
    choose(page, "ping")
    await after(
        view(page).running_changed,
        lambda: QTest.keyClick(page.tool_list.view, Qt.Key.Key_Return, CONTROL),
    )
    await after(view(page).running_changed, lambda: None)
    assert [call.key for call in runner.calls] == ["one:ping"]


async def test_escape_cancels_the_running_call(page: ToolsPage, runner: FakeRunner) -> None:
    runner.may_end.clear()
    shown = choose(page, "ping")
    press_run(page)
    await runner.started.wait()
    await after(shown.running_changed, lambda: QTest.keyClick(shown, Qt.Key.Key_Escape))
    assert runner.cancelled == ["one:ping"]
    assert shown.bar.message.text() == "Cancelled"
    assert shown.bar.run.isVisible()


async def test_a_key_that_repeats_builds_only_the_tool_it_ends_on(page: ToolsPage) -> None:
    box = page.tool_list.search_box
    box.setFocus()
    for _ in range(3):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert page.view is None
    await turns()
    assert view(page).tool == OTHER
    assert page.stack.count() == 2  # the empty state and this one


async def test_control_enter_right_after_an_arrow_runs_the_tool_that_is_marked(
    page: ToolsPage, runner: FakeRunner
) -> None:
    choose(page, "other")
    page.tool_list.search_box.setFocus()
    page.tool_list.search_box.setText("ping")
    QTest.keyClick(page.tool_list.search_box, Qt.Key.Key_Down)
    QTest.keyClick(page.tool_list.search_box, Qt.Key.Key_Return, CONTROL)
    await after(view(page).running_changed, lambda: None)
    assert [call.key for call in runner.calls] == ["one:ping"]
