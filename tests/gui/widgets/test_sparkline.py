from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.widgets.sparkline import MAX_SAMPLES, Sparkline

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def make_line(qtbot: QtBot, theme: Theme, **more: float) -> Sparkline:
    line = Sparkline(theme, "accent", **more)  # pyright: ignore[reportArgumentType]
    qtbot.addWidget(line)
    line.resize(120, 20)
    line.show()
    return line


def test_the_newest_value_is_at_the_right_and_the_highest_on_top(
    qtbot: QtBot, theme: Theme
) -> None:
    line = make_line(qtbot, theme)
    for value in (10.0, 30.0, 20.0):
        line.add(value)
    low, high, last = line.points()
    assert low.x() < high.x() < last.x()
    assert last.x() > line.width() - 3
    assert high.y() < last.y() < low.y()
    assert 0 <= high.y() < low.y() <= line.height()


def test_no_more_values_are_kept_than_are_drawn(qtbot: QtBot, theme: Theme) -> None:
    line = make_line(qtbot, theme)
    for value in range(3 * MAX_SAMPLES):
        line.add(float(value))
    assert len(line.points()) == len(line.values) == MAX_SAMPLES
    assert line.points()[0].x() >= 0
    line.clear()
    assert line.points() == []


def test_a_small_change_stays_small(qtbot: QtBot, theme: Theme) -> None:
    line = make_line(qtbot, theme, least=100.0)
    line.add(5.0)
    line.add(6.0)
    first, second = line.points()
    assert abs(first.y() - second.y()) < 1


def test_a_line_that_stays_as_it_is_is_not_painted_again(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = make_line(qtbot, theme)
    painted: list[int] = []
    monkeypatch.setattr(line, "update", lambda: painted.append(1))
    for _ in range(MAX_SAMPLES):
        line.add(1.0)
    painted.clear()
    line.add(1.0)
    assert painted == []
    line.add(2.0)
    assert painted == [1]


def test_it_is_drawn_in_the_colour_of_the_theme(qtbot: QtBot, theme: Theme) -> None:
    line = make_line(qtbot, theme)
    for value in (0.0, 5.0, 0.0):
        line.add(value)
    light = line.grab().toImage()
    theme.set_scheme("dark")
    assert line.grab().toImage() != light
