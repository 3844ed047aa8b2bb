"""Thousands of calls, of which only those that are looked at are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.history.history_list import HistoryList
from desktop.history.store import PAGE
from tests.gui.history.conftest import once
from tests.history.calls import ended, failed, keep

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.history.store import HistoryStore

pytest_plugins = ("tests.gui.theme_fixture",)


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
