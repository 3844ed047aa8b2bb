"""Where the bar of each call stands, what shape it has, and that a row is painted as it says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QTableView

from desktop.gui.activity.history_model import COLUMNS, TIMELINE, HistoryModel
from desktop.gui.activity.timeline import (
    BAR,
    GAP,
    LONGEST,
    SHORTEST,
    WaterfallDelegate,
    bar_of,
    bursts_of,
    shape_of,
)
from desktop.history.records import CallPage, Summary

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import ColorName, Theme
    from desktop.gui.theme.theme import Scheme


def call(at: float, took: float = 1.0, outcome: str = "done", wait: float = 0.0) -> Summary:
    when = datetime.fromtimestamp(at, UTC)
    number = round(at * 1000)
    return Summary(number, "s:t", when, took, "person", outcome, "{}", approval_wait=wait)


def test_calls_that_follow_each_other_closely_share_one_scale() -> None:
    late, later, before = call(1_010), call(1_005, 2.0), call(1_000 - GAP)
    one, two, three = bursts_of([late, later, before])
    assert one is two is not three
    assert (one.start, one.end, one.seconds) == (1_005, 1_011, 6)
    assert three.seconds == SHORTEST


def test_an_older_page_goes_on_with_the_scale_above_it() -> None:
    (above,) = bursts_of([call(1_010)])
    (below,) = bursts_of([call(1_000, 3.0)], above)
    assert below is above
    assert above.start == 1_000


def test_an_endless_row_of_calls_is_parted() -> None:
    calls = [call(10_000 - n * 10) for n in range(100)]
    bursts = set(bursts_of(calls))
    assert len(bursts) > 2
    assert all(burst.seconds <= LONGEST + 10 for burst in bursts)


def test_the_wait_for_an_approval_comes_before_the_call() -> None:
    one = call(1_010, 5.0, wait=5.0)
    (burst,) = bursts_of([one])
    bar = bar_of(one, burst, "success", is_first=True)
    assert (bar.asked, bar.sent, bar.ended, bar.scale) == (0, 0.5, 1, "10.0 s")
    assert bar_of(one, burst, "success", is_first=False).scale == ""


@pytest.mark.parametrize(
    ("outcome", "took", "shape"),
    [
        ("done", 1.0, "whole"),
        ("tool_error", 1.0, "broken"),
        ("timeout", 1.0, "broken"),
        ("cancelled", 6.9, "hollow"),
        ("cancelled", 0.0, "diamond"),
        ("denied", 0.0, "diamond"),
        ("invalid_arguments", 0.0, "diamond"),
        ("server_unreachable", 0.0, "diamond"),
        ("running", 1.0, "open"),
        ("waiting", 0.0, "open"),
    ],
)
def test_each_outcome_has_its_shape(outcome: str, took: float, shape: str) -> None:
    assert shape_of(call(1_000, took, outcome)) == shape


def show_timeline(qtbot: QtBot, theme: Theme, model: HistoryModel) -> QTableView:
    """A table of nothing but the timeline."""
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    table.setItemDelegateForColumn(TIMELINE, WaterfallDelegate(theme, table))
    for column in range(COLUMNS - 1):
        table.setColumnHidden(column, True)
    table.setColumnWidth(TIMELINE, 400)
    table.resize(460, 200)
    table.show()
    return table


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_bar_is_painted_where_the_call_was(qtbot: QtBot, theme: Theme, scheme: Scheme) -> None:
    theme.set_scheme(scheme)
    model = HistoryModel(theme)
    calls = (call(1_009), call(1_005, 1.0, "tool_error"), call(1_000))
    model.show_page(CallPage(calls, 3))
    table = show_timeline(qtbot, theme, model)
    picture = table.viewport().grab().toImage()
    tones: tuple[ColorName, ...] = ("success", "danger", "success")
    for row, tone in enumerate(tones):
        index = model.index(row, TIMELINE)
        bar = index.data(BAR)
        place = table.visualRect(index)
        middle = (bar.sent + bar.ended) / 2
        x = round(8 + (place.width() - 28) * middle)
        ratio = picture.devicePixelRatio()
        seen = picture.pixelColor(round(x * ratio), round(place.center().y() * ratio))
        assert seen == theme.color(tone)


@pytest.mark.parametrize("took", [0.001, 1.0])
def test_the_cross_of_a_failed_call_stands_apart_from_its_bar(
    qtbot: QtBot, theme: Theme, took: float
) -> None:
    model = HistoryModel(theme)
    model.show_page(CallPage((call(1_009, 0.01), call(1_000, took, "tool_error")), 2))
    table = show_timeline(qtbot, theme, model)
    picture = table.viewport().grab().toImage()
    place = table.visualRect(model.index(1, TIMELINE))
    danger, empty = theme.color("danger"), picture.pixelColor(390, place.center().y())

    def is_painted(x: int) -> bool:
        column = (picture.pixelColor(x, y) for y in range(place.top() + 2, place.bottom() - 2))
        return any(color != empty for color in column)

    painted = "".join("#" if is_painted(x) else " " for x in range(4, 380)).strip()
    bar, cross = painted.split(maxsplit=1)
    assert len(bar) >= 4
    assert 7 <= len(cross) <= 12
    assert picture.pixelColor(10, place.center().y()) == danger
