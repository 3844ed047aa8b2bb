from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop.gui.results.chart import MAX_POINTS, Chart, ChartView, chart_of, ticks
from desktop.gui.results.table import table_of

if TYPE_CHECKING:
    from PySide6.QtGui import QColor
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

CITIES = [{"city": "Oslo", "t": 4.5}, {"city": "Rome", "t": 21}, {"city": "Bonn", "t": None}]


def found(value: Any) -> Chart | None:
    return chart_of(value, table_of(value))


def points(value: Any) -> dict[str, list[float | None]]:
    chart = found(value)
    return {each.name: each.points() for each in chart.series} if chart else {}


@pytest.mark.parametrize(
    ("value", "series"),
    [
        ([1, 2.5, None], {"": [1.0, 2.5, None]}),
        ({"x": [1, 2], "y": [3, 4], "n": 5}, {"x": [1.0, 2.0], "y": [3.0, 4.0]}),
        (CITIES, {"t": [4.5, 21.0, None]}),
        ({"rows": CITIES}, {"t": [4.5, 21.0, None]}),
        ([1, math.inf, 10**400, 2], {"": [1.0, None, None, 2.0]}),
    ],
)
def test_numbers_in_lists_and_columns_are_series(
    value: Any, series: dict[str, list[float | None]]
) -> None:
    assert points(value) == series


@pytest.mark.parametrize(
    "value", [[], [1], ["1", "2"], [True, False], [[1], [2]], {"a": 1}, [{"a": "x"}], "12", None]
)
def test_other_values_have_no_chart(value: Any) -> None:
    assert found(value) is None


def test_rows_are_named_by_their_first_column_of_words() -> None:
    chart = found(CITIES)
    assert chart is not None
    assert [chart.label(chart.series[0], at) for at in range(2)] == ["Oslo", "Rome"]


def test_a_long_list_is_read_up_to_a_limit() -> None:
    assert len(points([1] * (MAX_POINTS + 5))[""]) == MAX_POINTS


@given(st.floats(-1e299, 1e299), st.floats(-1e299, 1e299))
def test_ticks_are_round_few_and_around_the_values(one: float, other: float) -> None:
    low, high = sorted((one, other))
    made = ticks(low, high)
    slack = (made[-1] - made[0]) * 1e-9
    assert made[0] <= low + slack
    assert made[-1] >= high - slack
    assert 2 <= len(made) <= 8


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> ChartView:
    made = ChartView(theme)
    qtbot.addWidget(made)
    made.resize(400, 250)
    made.show()
    return made


def drawn(view: ChartView, color: QColor) -> int:
    """Pixels of a colour in the picture."""
    image = view.plot.grab().toImage()
    wanted = color.rgb()
    return sum(
        image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height())
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bars_are_drawn_in_the_colours_of_the_theme(
    view: ChartView, theme: Theme, scheme: Any
) -> None:
    theme.set_scheme(scheme)
    view.show_chart(found([1, 5]))
    small = drawn(view, theme.color("accent"))
    view.show_chart(found([5, 5]))
    assert drawn(view, theme.color("accent")) > small > 0


def test_a_hundred_thousand_points_are_one_line(view: ChartView) -> None:
    view.show_chart(found([math.sin(at / 1000) for at in range(MAX_POINTS)]))
    assert not view.plot.has_bars
    assert not view.plot.grab().isNull()


def test_the_pointer_and_the_arrow_keys_tell_the_value(view: ChartView) -> None:
    view.show_chart(found(CITIES))
    assert "from 4.5 to 21, mean 12.75" in view.readout.text()
    QTest.mouseMove(view.plot, QPoint(view.plot.width() // 2, 40))
    view.plot.choose(1)
    assert view.readout.text() == "Rome: 21"
    view.plot.setFocus()
    QTest.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.readout.text() == "Oslo: 4.5"
    QTest.keyClick(view.plot, Qt.Key.Key_End)
    assert view.readout.text() == "Bonn: –"


def test_one_of_several_columns_is_chosen(view: ChartView) -> None:
    view.show_chart(found([{"a": 1, "b": 5}, {"a": 2, "b": 6}]))
    QTest.keyClick(view.chooser, Qt.Key.Key_Down)
    assert view.plot.points == [5.0, 6.0]


def test_names_of_a_server_are_plain_text(view: ChartView) -> None:
    view.show_chart(found([{"n": "<b>x</b>", "v": 1}, {"n": "y", "v": 2}]))
    view.plot.choose(0)
    assert view.readout.text() == "<b>x</b>: 1"
    assert view.readout.textFormat() == Qt.TextFormat.PlainText
