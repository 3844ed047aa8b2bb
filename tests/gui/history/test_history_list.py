"""Thousands of calls, of which only those that are looked at are read.

Rows stay where they are while calls come on top.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from desktop.gui.history.history_list import (
    ARGUMENTS,
    COLUMNS,
    OUTCOME,
    TOOL,
    HistoryList,
    HistoryModel,
)
from desktop.history.records import CallPage, Summary
from desktop.history.store import PAGE
from tests.gui.history.conftest import once
from tests.history.calls import ended, failed, keep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.history.store import HistoryStore


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
    assert cells[1:] == ["s:t", "", "Time limit", "1.50 s", "Agent"]
    colour = model.index(0, OUTCOME).data(Qt.ItemDataRole.ForegroundRole)
    assert colour == theme.color("danger")
    assert "<" not in model.index(0, OUTCOME).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(0, ARGUMENTS).data(Qt.ItemDataRole.FontRole) == theme.mono_font()
    assert model.row_of(1) == 0
    assert model.row_of(2) == -1
    assert model.call_at(model.index(5, TOOL)) is None


def test_columns_have_the_names_they_were_given(model: HistoryModel) -> None:
    model.set_titles(tuple("abcdef"))
    assert model.headerData(1, Qt.Orientation.Horizontal) == "b"
    assert model.headerData(1, Qt.Orientation.Vertical) is None


@pytest.fixture
def calls(qtbot: QtBot, theme: Theme, store: HistoryStore) -> HistoryList:
    made = HistoryList(theme, store)
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
    QTest.mouseClick(calls.failed_only, Qt.MouseButton.LeftButton)
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


async def test_arrow_keys_choose_and_shift_adds(calls: HistoryList, store: HistoryStore) -> None:
    await keep(store, *(ended(f"s:{n}") for n in range(3)))
    calls.reload()
    await loaded(calls, 3)
    calls.choose(3)
    QTest.keyClick(calls.table, Qt.Key.Key_Down)
    assert [call.id for call in calls.chosen] == [2]
    QTest.keyClick(calls.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert [call.id for call in calls.chosen] == [2, 1]
