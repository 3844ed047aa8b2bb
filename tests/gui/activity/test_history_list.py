"""Thousands of calls, of which only those that are looked at are read.

Rows stay where they are while calls come on top.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from desktop.gui.activity.history_list import HistoryList
from desktop.gui.activity.history_model import (
    ARGUMENTS,
    COLUMNS,
    OUTCOME,
    TOOL,
    HistoryModel,
    summary_of_logged,
)
from desktop.gui.theme import space
from desktop.gui.widgets.server_faces import face
from desktop.history.records import DONE, FAILED, CallPage, FinishedCall, Summary
from desktop.history.store import PAGE
from desktop.redaction.redactor import Redaction
from desktop.tools.call_log import CallLog
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import ErrorCode
from tests.gui.activity.calls import Made
from tests.gui.activity.conftest import once
from tests.gui.waiting import turns
from tests.history.calls import ended, failed, keep, store_at
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.history.store import HistoryStore
    from tests.conftest import ExpectedLogs


@pytest.fixture
def model(theme: Theme) -> HistoryModel:
    return HistoryModel(theme)


def page(numbers: Iterable[int], total: int | None = None) -> CallPage:
    now = datetime.now(UTC)
    calls = tuple(Summary(n, f"s:{n}", now, 0.01, "person", "done", '{"n": 1}') for n in numbers)
    return CallPage(calls, len(calls) if total is None else total)


def ids(model: HistoryModel) -> list[int]:
    return [call.id for call in model.calls]


def test_calls_that_came_on_top_are_put_there_and_nothing_moves(model: HistoryModel) -> None:
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    assert not model.show_page(page([3, 2, 1]))
    assert model.show_page(page([5, 4, 3, 2, 1]))
    assert model.show_page(page([5, 4, 3, 2, 1]))
    assert ids(model) == [5, 4, 3, 2, 1]
    assert resets == [1]


@pytest.mark.parametrize("later", [[3, 1], [2, 1], [], [9, 8]])
def test_whatever_else_became_of_them_is_shown(model: HistoryModel, later: list[int]) -> None:
    model.show_page(page([3, 2, 1]))
    model.show_page(page(later))
    assert ids(model) == later


def test_older_calls_are_asked_for_and_put_below(model: HistoryModel) -> None:
    wanted: list[int] = []
    model.more_requested.connect(lambda: wanted.append(1))
    model.show_page(page([9, 8], total=4))
    assert model.canFetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert wanted == [1]
    model.add_page(page([7, 6], total=4))
    assert ids(model) == [9, 8, 7, 6]
    assert not model.canFetchMore(QModelIndex())
    assert model.show_page(page([9, 8], total=4))  # a look at the top leaves what is below
    assert ids(model) == [9, 8, 7, 6]


def test_a_row_says_everything_in_words_and_colour(model: HistoryModel, theme: Theme) -> None:
    now = datetime.now(UTC)
    call = Summary(1, "s:t", now, 1.5, "agent", "timeout", "{}", "<b>too late</b>")
    model.show_page(CallPage((call,), 1))
    cells = [model.index(0, column).data() for column in range(COLUMNS)]
    assert cells[1:] == ["Agent", "s:t", "", "Time limit", "1.50 s"]
    colour = model.index(0, OUTCOME).data(Qt.ItemDataRole.ForegroundRole)
    assert colour == theme.color("danger")
    assert "<" not in model.index(0, OUTCOME).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(0, ARGUMENTS).data(Qt.ItemDataRole.FontRole) == theme.mono_font()
    assert model.row_of(1) == 0
    assert model.row_of(2) == -1
    assert model.call_at(model.index(5, TOOL)) is None


def test_columns_have_the_names_they_were_given(model: HistoryModel) -> None:
    model.set_titles(tuple("abcdefg"))
    assert model.headerData(1, Qt.Orientation.Horizontal) == "b"
    assert model.headerData(1, Qt.Orientation.Vertical) is None


@pytest.fixture
def calls(qtbot: QtBot, theme: Theme, store: HistoryStore) -> HistoryList:
    made = HistoryList(theme, store, CallLog(ToolExecutor(ToolRegistry())), lambda _: Redaction())
    qtbot.addWidget(made)
    made.resize(800, 400)
    made.show()
    return made


def keys(calls: HistoryList) -> list[str]:
    return [call.key for call in calls.model.calls]


async def loaded(calls: HistoryList, count: int) -> None:
    await once(calls.loaded, lambda: calls.is_loaded and calls.model.total == count)


async def test_pages_are_read_as_they_are_scrolled_to(
    calls: HistoryList, store: HistoryStore
) -> None:
    await keep(store, *(ended(f"s:{n}") for n in range(1000)))
    calls.reload()
    await loaded(calls, 1000)
    assert len(calls.model.calls) <= 2 * PAGE
    assert calls.count.text() == "1,000 calls"
    while len(calls.model.calls) < 1000:
        before = len(calls.model.calls)
        calls.table.scrollToBottom()
        await once(calls.model.rowsInserted, lambda before=before: len(keys(calls)) > before)
    assert keys(calls) == [f"s:{n}" for n in reversed(range(1000))]


async def test_typing_searches_and_enter_goes_to_the_list(
    calls: HistoryList, store: HistoryStore
) -> None:
    await keep(store, ended("s:alpha"), failed("s:beta", "broken"), ended("s:gamma"))
    calls.reload()
    await loaded(calls, 3)
    QTest.keyClicks(calls.search, "beta")
    await loaded(calls, 1)
    assert keys(calls) == ["s:beta"]
    assert calls.is_filtered
    calls.search.clear()
    await loaded(calls, 3)
    calls.filters.outcome.setCurrentIndex(calls.filters.outcome.findData(FAILED))
    await loaded(calls, 1)
    assert keys(calls) == ["s:beta"]


async def test_what_is_chosen_stays_chosen_when_calls_come_or_go(
    calls: HistoryList, store: HistoryStore
) -> None:
    await keep(store, *(ended(f"s:{n}") for n in range(5)))
    calls.reload()
    await loaded(calls, 5)
    calls.choose(2)
    await keep(store, ended("s:new"))
    calls.reload()
    await loaded(calls, 6)
    assert [call.id for call in calls.chosen] == [2]
    await store.delete([4])
    calls.reload()
    await loaded(calls, 5)
    assert [call.id for call in calls.chosen] == [2]
    await store.delete([2])
    calls.reload()
    await loaded(calls, 4)
    assert [call.key for call in calls.chosen] == ["s:new"]


async def test_the_columns_take_the_whole_width_at_any_width(
    calls: HistoryList, store: HistoryStore
) -> None:
    await keep(store, ended("s:1"))
    calls.reload()
    await loaded(calls, 1)
    for width in (1000, 640, 1400, 700, 1000):
        calls.resize(width, 500)
        await turns(4)
        header = calls.table.horizontalHeader()
        assert header.length() == calls.table.viewport().width()
        assert header.sectionSize(TOOL) >= header.length() // 5
    assert calls.kept.geometry().bottom() < calls.rect().bottom() - space(1)  # no divider touches


async def test_arrow_keys_choose_and_shift_adds(
    calls: HistoryList, store: HistoryStore, theme: Theme
) -> None:
    await keep(store, *(ended(f"s:{n}") for n in range(3)))
    calls.reload()
    await loaded(calls, 3)
    calls.choose(3)
    QTest.keyClick(calls.table, Qt.Key.Key_Down)
    assert [call.id for call in calls.chosen] == [2]
    calls.table.setProperty("ring", True)
    calls.table.setFocus()
    row = calls.table.visualRect(calls.table.currentIndex())
    seen = calls.table.viewport().grab().toImage()
    line = {seen.pixelColor(x, row.bottom()).name() for x in range(seen.width())}
    assert line == {theme.color("focus").name()}  # around the row as a whole
    QTest.keyClick(calls.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert [call.id for call in calls.chosen] == [2, 1]


async def test_each_filter_narrows_the_list_and_all_are_reset_at_once(
    calls: HistoryList, store: HistoryStore
) -> None:
    by_agent = failed("two:b", "no", ErrorCode.TIMEOUT)
    by_agent = by_agent._replace(
        call=replace(by_agent.call, origin="agent"),
        result=replace(by_agent.result, execution_time=0.0),  # begun since the list is there
    )
    before = datetime.now(UTC) - timedelta(days=2)
    await keep(
        store, ended("one:old", timestamp=before), by_agent, ended("one:a", execution_time=0.0)
    )
    calls.reload()
    await loaded(calls, 3)
    assert [calls.filters.server.itemText(n) for n in range(3)] == ["Any server", "one", "two"]
    for box, value, expected in (
        (calls.filters.time, "run", ["one:a", "two:b"]),
        (calls.filters.time, "week", ["one:a", "two:b", "one:old"]),
        (calls.filters.origin, "agent", ["two:b"]),
        (calls.filters.server, "one", ["one:a", "one:old"]),
        (calls.filters.outcome, "timeout", ["two:b"]),
        (calls.filters.outcome, DONE, ["one:a", "one:old"]),
    ):
        box.setFocus()
        box.setCurrentIndex(box.findData(value))
        await once(calls.loaded, lambda expected=expected: keys(calls) == expected)
        QTest.mouseClick(calls.filters.show_all, Qt.MouseButton.LeftButton)
        await loaded(calls, 3)
        assert not calls.filters.show_all.isVisible()


async def test_home_end_and_enter_are_for_whole_rows(
    calls: HistoryList, store: HistoryStore
) -> None:
    await keep(store, *(ended(f"s:{n}") for n in range(3)))
    calls.reload()
    await loaded(calls, 3)
    opened: list[int] = []
    calls.table.opened.connect(lambda: opened.append(calls.chosen[0].id))
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Home, Qt.Key.Key_Enter):
        QTest.keyClick(calls.table, key)
    assert opened == [1, 3]


def test_running_calls_stand_on_top_and_go_when_they_are_in_the_history(
    model: HistoryModel,
) -> None:
    model.show_page(page([2, 1]))
    made = Made()
    made.start("s:running")
    (logged,) = made.recent.calls.values()
    model.show_live([summary_of_logged(logged, Redaction())])
    assert ids(model) == [-1, 2, 1]
    assert model.index(0, OUTCOME).data() == "Running"
    assert model.show_page(page([3, 2, 1]))
    assert ids(model) == [-1, 3, 2, 1]
    model.show_live([])
    assert ids(model) == [3, 2, 1]


def test_a_row_is_heard_as_one_sentence(model: HistoryModel) -> None:
    call = Summary(
        1, "s:t", datetime.now(UTC), 1.5, "agent", "timeout", "{}", model="m", approval_wait=7.5
    )
    model.show_page(CallPage((call,), 1))
    said = model.index(0, TOOL).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert said.startswith("s:t · Agent · m · ")
    assert said.endswith(" · Time limit · 1.50 s · waited 7.50 s for approval")


async def test_a_call_that_could_not_be_kept_stays_in_the_list(
    qtbot: QtBot, theme: Theme, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("calls are not recorded")
    folder = tmp_path / "taken"
    folder.mkdir()
    made = Made()
    async with store_at(folder) as store:
        calls = HistoryList(theme, store, made.recent, lambda _: Redaction())
        qtbot.addWidget(calls)
        logged = made.whole()
        assert logged.result is not None
        store.add(FinishedCall(logged.call, logged.result, {}))
        await until(store.changed, lambda: store.problem)
        folder.rmdir()
        calls.reload()
        await once(calls.loaded, lambda: calls.is_loaded)
        calls.reload()
        await once(calls.loaded, lambda: keys(calls) == ["server:tool"])
        assert calls.model.live


def test_a_row_has_the_face_of_its_server(model: HistoryModel, theme: Theme) -> None:
    model.show_page(page([1]))
    drawn = model.data(model.index(0, TOOL), Qt.ItemDataRole.DecorationRole)
    assert drawn.toImage() == face(theme, "s", size=space(4)).toImage()
