"""The page shows the tools as they come and go, and keeps what was typed and answered."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING
from weakref import ref

from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from desktop.gui.tools.page import _MAX_ANSWERS, ToolsPage  # pyright: ignore[reportPrivateUsage]
from desktop.gui.tools.tool_view import ToolView
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult
from tests.gui.focus import focused
from tests.gui.tools.fakes import TEXT_SCHEMA, FakeRegistry, FakeRunner, after, tool
from tests.gui.tools.tools_page import (
    CONTROL,
    ECHO,
    OTHER,
    PING,
    choose,
    press_run,
    run_to_its_end,
    type_text,
    view,
    words,
)
from tests.gui.waiting import noted, turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_invalid_arguments_are_named_and_nothing_is_sent(
    page: ToolsPage, runner: FakeRunner, qtbot: QtBot
) -> None:
    choose(page, "echo")
    press_run(page)
    QApplication.processEvents()
    assert runner.calls == []
    assert words(view(page)).count("'text' is required") == 1
    assert view(page).issues.words.text() == "Not sent. One thing to correct."
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    QTest.keyClicks(field, "now it is there")
    qtbot.waitUntil(view(page).issues.isHidden)


async def test_a_view_that_is_let_go_leaves_nothing_in_memory(page: ToolsPage) -> None:
    noted(page.save_requested)
    page.show_tool("one:echo")
    there = ref(view(page))
    page.show_tool("one:ping")  # nothing was typed: the view of the first is dropped
    await turns(4)
    gc.collect()
    assert there() is None


async def test_switching_back_and_forth_loses_neither_values_nor_result(
    page: ToolsPage, runner: FakeRunner
) -> None:
    shown = choose(page, "echo")
    type_text(page, "kept")
    press_run(page)
    await after(shown.running_changed, lambda: None)
    choose(page, "ping")
    assert view(page).result is None
    assert choose(page, "echo").form.value() == {"text": "kept"}
    assert view(page).result is not None


async def test_a_view_that_is_made_again_has_values_and_result(
    page: ToolsPage, registry: FakeRegistry, runner: FakeRunner
) -> None:
    many = [tool(f"many:t{number}", TEXT_SCHEMA) for number in range(_MAX_ANSWERS + 3)]
    await after(page.refreshed, lambda: registry.replace(*many))
    for each in many:
        page.show_tool(each.key)
        type_text(page, each.name)
        press_run(page)
        await after(view(page).running_changed, lambda: None)
    page.show_tool("many:t3")
    assert view(page).form.value() == {"text": "t3"}
    assert view(page).result is not None
    page.show_tool("many:t0")
    assert view(page).form.value() == {"text": "t0"}
    assert view(page).result is None


async def test_a_call_goes_on_while_one_looks_at_another_tool(
    page: ToolsPage, runner: FakeRunner
) -> None:
    runner.may_end.clear()
    running = choose(page, "ping")
    press_run(page)
    await runner.started.wait()
    assert choose(page, "other") is not running
    assert choose(page, "ping") is running
    assert running.bar.cancel.isVisible()
    await after(running.running_changed, runner.may_end.set)
    assert running.result is not None


async def test_a_long_session_keeps_the_last_views_and_of_all_tools_what_was_typed(
    page: ToolsPage, registry: FakeRegistry, runner: FakeRunner
) -> None:
    many = [tool(f"many:t{number}", TEXT_SCHEMA) for number in range(12)]
    await after(page.refreshed, lambda: registry.replace(*many, PING))
    runner.may_end.clear()
    page.show_tool("one:ping")
    press_run(page)
    await runner.started.wait()
    running = view(page)
    there: list[int] = []
    page.view_made.connect(lambda: there.append(len(page.findChildren(ToolView))))
    for each in many:
        page.show_tool(each.key)
        view(page).focus_form()
        QTest.keyClicks(focused(), f"typed into {each.name}")
        await turns(4)
    assert max(there) == 3  # the one that runs, the last one, the new one
    page.show_tool("many:t3")
    assert view(page).form.value() == {"text": "typed into t3"}
    page.show_tool("one:ping")
    assert view(page) is running
    await after(running.running_changed, runner.may_end.set)
    assert running.result is not None


def test_a_view_that_holds_nothing_is_built_anew(page: ToolsPage) -> None:
    choose(page, "ping")
    choose(page, "other")
    assert page.stack.count() == 2  # the empty state and the one that is shown


async def test_a_vanished_tool_keeps_what_was_typed_until_it_returns(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    shown = choose(page, "echo")
    type_text(page, "kept")
    await after(page.refreshed, lambda: registry.replace(OTHER))
    assert view(page) is shown
    assert "unavailable" in words(shown)
    assert not shown.bar.run.isEnabled()
    await after(page.refreshed, lambda: registry.replace(OTHER, replace(ECHO)))
    assert "unavailable" not in words(shown)
    assert shown.bar.run.isEnabled()
    assert shown.form.value() == {"text": "kept"}
    assert page.tool_list.view.currentIndex().data() == "echo"


async def test_many_changes_in_a_row_are_shown_together(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    refreshed: list[None] = []
    page.refreshed.connect(lambda: refreshed.append(None))

    def change() -> None:
        for count in range(50):
            registry.replace(*(tool(f"s:t{i}") for i in range(count)))

    await after(page.refreshed, change)
    assert len(refreshed) == 1
    assert page.tool_list.view.model().rowCount() == 49


def test_a_page_that_is_not_seen_takes_the_tools_when_it_is_shown(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    page.hide()
    registry.replace(OTHER)
    assert page.tool_list.view.model().rowCount() == 5  # two servers above their tools
    page.show()
    assert page.tool_list.view.model().rowCount() == 1


def test_another_page_can_open_a_tool_by_its_key(page: ToolsPage) -> None:
    page.show_tool("two:other")
    assert view(page).tool == OTHER
    page.show_tool("two:none")
    assert view(page).tool == OTHER
    assert page.tool_list.current_key == "two:other"


def test_the_columns_are_remembered(
    page: ToolsPage,
    registry: FakeRegistry,
    theme: Theme,
    settings: QSettings,
    qtbot: QtBot,
) -> None:
    handle = page.splitter.handle(1)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton)
    QTest.mouseMove(handle, handle.rect().center() + QPoint(90, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton)
    sizes = page.splitter.sizes()
    again = ToolsPage(registry, FakeRunner(), theme, settings)
    qtbot.addWidget(again)
    again.resize(page.size())
    again.show()
    assert again.splitter.sizes() == sizes


async def test_a_failed_call_says_what_happened_and_what_to_do(
    page: ToolsPage, runner: FakeRunner
) -> None:
    error = ToolError("TimeoutError", "No answer within 5 s.", ErrorCode.TIMEOUT)
    runner.result = ToolResult(success=False, error=error)
    shown = choose(page, "ping")
    press_run(page)
    await after(shown.running_changed, lambda: None)
    assert shown.result is not None
    told = words(shown.result)
    assert "No answer within 5 s." in told
    assert "timeout" in told
    assert "longer limit" in told


def test_without_servers_the_page_asks_for_one(
    registry: FakeRegistry, runner: FakeRunner, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    page = ToolsPage(FakeRegistry(), runner, theme, settings)
    qtbot.addWidget(page)
    page.show()
    assert "No tools yet" in words(page)
    with qtbot.waitSignal(page.servers_requested):
        page.tool_list.servers_requested.emit()


async def test_the_list_marks_the_tools_that_are_running(
    page: ToolsPage, runner: FakeRunner
) -> None:
    runner.may_end.clear()
    running = choose(page, "ping")
    before = page.tool_list.view.grab().toImage()
    press_run(page)
    await runner.started.wait()
    assert page.tool_list.view.grab().toImage() != before
    await after(running.running_changed, runner.may_end.set)
    assert page.tool_list.view.grab().toImage() == before


def test_who_listens_to_the_page_hears_of_a_save(page: ToolsPage) -> None:
    told: list[object] = []

    def note(*call: object) -> None:
        told.append(call)

    page.save_requested.connect(note)
    choose(page, "echo")
    type_text(page, "x")
    view(page).menu.offer_requested.emit()
    assert not view(page).menu.history.isVisible()
    view(page).menu.save.trigger()
    assert told == [("one:echo", {"text": "x"})]


def test_the_key_and_the_button_of_the_tool_make_it_a_favourite(page: ToolsPage) -> None:
    shown = choose(page, "echo")
    assert shown.header.star.accessibleName() == "Add to favourites"

    QTest.keyClick(page, Qt.Key.Key_D, CONTROL)
    assert page.remembered.favourites == ("one:echo",)
    assert shown.header.star.accessibleName() == "Remove from favourites"
    choose(page, "ping")
    QTest.mouseClick(view(page).header.star, Qt.MouseButton.LeftButton)

    assert page.remembered.favourites == ("one:echo", "one:ping")


async def test_a_call_makes_its_tool_the_first_of_the_recent_ones(page: ToolsPage) -> None:
    choose(page, "ping")
    await run_to_its_end(page, lambda: press_run(page))

    assert page.remembered.recent == ("one:ping",)


async def test_in_a_window_of_usual_size_form_and_result_stand_side_by_side(
    page: ToolsPage,
) -> None:
    page.resize(1180 - 88, 760 - 30)  # less the rail and the line below
    page.show_tool("one:echo")
    await turns(10)
    shown = view(page)
    form, result = shown.splitter.sizes()
    assert shown.splitter.is_wide
    assert form >= 368
    assert result >= 400
    assert [shown.tabs.tabText(at) for at in (0, 1)] == ["Arguments", "Schema"]
    bar = shown.tabs.tabBar()
    for at in (0, 1):  # none is cut
        assert bar.tabRect(at).width() > bar.fontMetrics().horizontalAdvance(bar.tabText(at)) + 16


async def test_in_the_smallest_window_the_list_leaves_a_form_its_room(page: ToolsPage) -> None:
    page.resize(720 - 88, 510)
    page.show_tool("one:echo")
    await turns(10)
    list_width, view_width = page.splitter.sizes()
    assert list_width == 240
    assert view_width > 360
    page.resize(1000, 700)
    assert page.splitter.sizes()[0] == 280
