from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget

from desktop.gui.tools.page import KnownTools, ToolsPage
from desktop.gui.widgets.enter_key import EnterKey
from desktop.tool_types import ErrorCode, ToolError, ToolResult
from tests.gui.tools.fakes import TEXT_SCHEMA, FakeRegistry, FakeRunner, after, tool
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.gui.tools.tool_view import ToolView


def test_a_tool_that_is_gone_is_remembered_as_it_was_and_forgotten_when_it_returns() -> None:
    known = KnownTools()
    old, new = tool("s:a", title="old"), tool("s:a", title="new")
    known.replace([old, tool("s:b")])
    known.replace([tool("s:b")])
    assert (known.now("s:a"), known.last("s:a")) == (None, old)
    known.replace([new])
    assert known.last("s:a") == new
    assert known.last("s:none") is None


def test_the_memory_of_gone_tools_is_bounded() -> None:
    known = KnownTools()
    known.replace([tool(f"s:{n}") for n in range(3000)])
    known.replace([])
    assert known.tools == []
    assert sum(known.last(f"s:{n}") is not None for n in range(3000)) == 1000
    assert known.last("s:2999") is not None


ECHO = tool("one:echo", TEXT_SCHEMA)
PING = tool("one:ping")
OTHER = tool("two:other")
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def registry() -> FakeRegistry:
    return FakeRegistry(ECHO, PING, OTHER)


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(ECHO, PING, OTHER)


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def page(
    registry: FakeRegistry, runner: FakeRunner, theme: Theme, settings: QSettings, qtbot: QtBot
) -> ToolsPage:
    made = ToolsPage(registry, runner, theme, settings)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    made.activateWindow()
    return made


def view(page: ToolsPage) -> ToolView:
    shown = page.view
    assert shown is not None
    return shown


def choose(page: ToolsPage, name: str) -> ToolView:
    """As a person does: search, arrow down, Enter."""
    page.tool_list.search_box.setFocus()
    page.tool_list.search_box.setText(name)
    QTest.keyClick(page.tool_list.search_box, Qt.Key.Key_Down)
    QTest.keyClick(page.tool_list.search_box, Qt.Key.Key_Return)
    page.tool_list.search_box.clear()
    return view(page)


def type_text(page: ToolsPage, text: str) -> None:
    view(page).form.set_value({"text": text})


def press_run(page: ToolsPage) -> None:
    QTest.mouseClick(view(page).bar.run, Qt.MouseButton.LeftButton)


def words(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


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


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


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


async def test_escape_cancels_the_running_call(page: ToolsPage, runner: FakeRunner) -> None:
    runner.may_end.clear()
    shown = choose(page, "ping")
    press_run(page)
    await runner.started.wait()
    await after(shown.running_changed, lambda: QTest.keyClick(shown, Qt.Key.Key_Escape))
    assert runner.cancelled == ["one:ping"]
    assert shown.bar.message.text() == "Cancelled"
    assert shown.bar.run.isVisible()


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


def test_a_past_call_is_opened_and_what_was_typed_can_be_put_back(page: ToolsPage) -> None:
    choose(page, "echo")
    type_text(page, "mine")
    QApplication.processEvents()
    choose(page, "ping")
    page.open_call("one:echo", {"text": "then"})
    assert page.tool_list.current_key == "one:echo"
    assert view(page).form.value() == {"text": "then"}
    QTest.mouseClick(view(page).replaced.action, Qt.MouseButton.LeftButton)
    assert view(page).form.value() == {"text": "mine"}


def test_a_call_is_opened_before_the_page_was_ever_seen(
    registry: FakeRegistry, runner: FakeRunner, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    page = ToolsPage(registry, runner, theme, settings)
    qtbot.addWidget(page)
    page.open_call("one:echo", {"text": "then"})
    assert view(page).form.value() == {"text": "then"}
    assert view(page).is_worth_keeping


async def test_a_call_of_a_tool_that_is_gone_shows_the_tool_as_it_was(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    await after(page.refreshed, lambda: registry.replace(OTHER))
    page.open_call("one:echo", {"text": "then"})
    assert view(page).tool == ECHO
    assert view(page).form.value() == {"text": "then"}
    assert "unavailable" in words(view(page))
    assert not view(page).bar.run.isEnabled()
    await after(page.refreshed, lambda: registry.replace(OTHER, ECHO))
    assert view(page).bar.run.isEnabled()
    assert view(page).form.value() == {"text": "then"}


async def test_a_call_of_a_tool_nobody_knows_keeps_its_arguments(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    page.open_call("gone:never", {"text": "then", "n": [1]})
    shown = view(page)
    assert "This tool is unavailable: its server" in words(shown)
    shown.exchange.copy("arguments")
    assert json.loads(QApplication.clipboard().text()) == {"text": "then", "n": [1]}
    await after(page.refreshed, lambda: registry.replace(ECHO, tool("gone:never", TEXT_SCHEMA)))
    assert view(page) is shown
    assert shown.form.value() == {"text": "then", "n": [1]}
    assert "not known" not in words(shown)


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


def test_the_provider_chosen_for_one_tool_is_shown_for_the_next(
    page: ToolsPage, settings: QSettings, qtbot: QtBot
) -> None:
    first = choose(page, "ping")
    first.tabs.setCurrentWidget(first.tabs.model)
    qtbot.waitUntil(lambda: first.tabs.model.view is not None)
    assert first.tabs.model.view is not None
    QTest.keyClick(first.tabs.model.view.provider, Qt.Key.Key_End)
    assert settings.value("tools/format") == "gemini"
    second = choose(page, "other")
    second.tabs.setCurrentWidget(second.tabs.model)
    qtbot.waitUntil(lambda: second.tabs.model.view is not None)
    assert second.tabs.model.view is not None
    assert second.tabs.model.view.provider.currentText() == "Gemini"


SECRET = tool(
    "one:login",
    {
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "count": {"type": "integer"},
            "password": {"type": "string"},
        },
    },
)


class Runs:
    """Makes the page anew on the same file, as the next run of the app does."""

    def __init__(self, theme: Theme, settings: QSettings, qtbot: QtBot) -> None:
        self._theme, self._settings, self._qtbot = theme, settings, qtbot

    def next(self, registry: FakeRegistry) -> ToolsPage:
        file = self._settings.fileName()
        self._settings.sync()
        settings = QSettings(file, QSettings.Format.IniFormat)
        made = ToolsPage(registry, FakeRunner(ECHO, PING, OTHER, SECRET), self._theme, settings)
        self._qtbot.addWidget(made)
        made.resize(1000, 700)
        made.show()
        return made


@pytest.fixture
def runs(theme: Theme, settings: QSettings, qtbot: QtBot) -> Runs:
    return Runs(theme, settings, qtbot)


def test_the_chosen_tool_and_what_is_typed_are_there_again_in_the_next_run(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "ping")
    choose(page, "echo")
    type_text(page, "hello\nthere")
    page.hide()

    again = runs.next(registry)

    assert view(again).tool == ECHO
    assert view(again).form.value() == {"text": "hello\nthere"}
    assert again.tool_list.view.currentIndex().data() == "echo"


def test_what_is_typed_is_kept_also_if_the_app_does_not_end_as_it_should(
    page: ToolsPage, registry: FakeRegistry, runs: Runs, qtbot: QtBot
) -> None:
    choose(page, "echo")
    type_text(page, "hello")

    qtbot.waitUntil(lambda: bool(page.remembered.input_of("one:echo")))

    assert view(runs.next(registry)).form.value() == {"text": "hello"}


def test_what_is_typed_for_other_tools_is_there_again_too(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "echo")
    type_text(page, "hello")
    choose(page, "ping")

    again = runs.next(registry)

    assert view(again).tool == PING
    assert choose(again, "echo").form.value() == {"text": "hello"}


def test_no_secret_is_written_and_its_field_is_empty_in_the_next_run(
    registry: FakeRegistry, runs: Runs, settings: QSettings
) -> None:
    registry.replace(SECRET)
    page = runs.next(registry)
    choose(page, "login")
    view(page).form.set_value({"user": "me", "count": 3, "password": "hunter2-rabbit"})
    page.hide()

    again = runs.next(registry)

    assert view(again).form.value() == {"user": "me", "count": 3}
    assert "rabbit" not in Path(settings.fileName()).read_text()


def test_a_form_that_was_cleared_stays_empty(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "echo")
    type_text(page, "hello")
    page.hide()
    again = runs.next(registry)
    QTest.mouseClick(view(again).bar.clear, Qt.MouseButton.LeftButton)
    again.hide()

    assert view(runs.next(registry)).form.value() == {}


def test_the_chosen_tool_is_shown_as_soon_as_its_server_is_there_without_taking_the_keys(
    page: ToolsPage, registry: FakeRegistry, runs: Runs, qtbot: QtBot
) -> None:
    choose(page, "echo")
    registry.replace(OTHER)
    again = runs.next(registry)
    again.activateWindow()
    again.tool_list.search_box.setFocus()
    assert again.view is None

    registry.replace(OTHER, ECHO)
    qtbot.waitUntil(lambda: again.view is not None)

    assert view(again).tool == ECHO
    assert again.tool_list.search_box.hasFocus()


def test_a_tool_that_was_chosen_meanwhile_is_not_replaced(
    page: ToolsPage, registry: FakeRegistry, runs: Runs, qtbot: QtBot
) -> None:
    choose(page, "echo")
    registry.replace(OTHER)
    again = runs.next(registry)
    choose(again, "other")

    with qtbot.waitSignal(again.refreshed):
        registry.replace(OTHER, ECHO)

    assert view(again).tool == OTHER


def test_the_key_and_the_button_of_the_tool_make_it_a_favourite(page: ToolsPage) -> None:
    shown = choose(page, "echo")
    assert shown.header.star.accessibleName() == "Add to favourites"

    QTest.keyClick(page, Qt.Key.Key_D, CONTROL)
    assert page.remembered.favourites == ("one:echo",)
    assert shown.header.star.accessibleName() == "Remove from favourites"
    choose(page, "ping")
    QTest.mouseClick(view(page).header.star, Qt.MouseButton.LeftButton)

    assert page.remembered.favourites == ("one:echo", "one:ping")


async def run_to_its_end(page: ToolsPage, press: Callable[[], None]) -> None:
    await after(view(page).running_changed, press)
    while view(page).is_running:
        await after(view(page).running_changed, lambda: None)


async def test_a_call_makes_its_tool_the_first_of_the_recent_ones(page: ToolsPage) -> None:
    choose(page, "ping")
    await run_to_its_end(page, lambda: press_run(page))

    assert page.remembered.recent == ("one:ping",)


async def test_a_call_of_the_run_before_takes_a_click_and_a_key(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "echo")
    type_text(page, "of yesterday")
    await run_to_its_end(page, lambda: press_run(page))
    choose(page, "other")
    page.hide()
    again = runs.next(registry)
    index = again.tool_list.view.model().index(1, 0)
    place = again.tool_list.view.visualRect(index).center()

    QTest.mouseClick(again.tool_list.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    await turns()
    await run_to_its_end(again, lambda: QTest.keyClick(again, Qt.Key.Key_Return, CONTROL))

    assert view(again).tool == ECHO
    runner = view(again)._runner  # pyright: ignore[reportPrivateUsage]
    assert isinstance(runner, FakeRunner)
    assert runner.calls[0].arguments == {"text": "of yesterday"}


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
    assert [shown.tabs.tabText(at) for at in (0, 1, 3)] == ["Arguments", "Input", "Model"]
    bar = shown.tabs.tabBar()
    for at in (0, 1, 3):  # none is cut
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
