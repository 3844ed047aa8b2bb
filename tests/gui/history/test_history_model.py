"""Rows stay where they are while calls come on top."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt

from desktop.gui.history.history_model import ARGUMENTS, COLUMNS, OUTCOME, TOOL, HistoryModel
from desktop.history.records import CallPage, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


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
    model.more_wanted.connect(lambda: wanted.append(1))
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
