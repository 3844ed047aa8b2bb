from __future__ import annotations

import os

import psutil
import pytest

from desktop.gui.processes import words
from desktop.processes.census import Group, Observed, Snapshot


def make_observed(state: str = "sleeping") -> Observed:
    me = psutil.Process(os.getpid())
    return Observed(me, 7, None, "node", "/bin/n x", "node x", "a", 7500.0, 1.25, 5_000_000, state)


def make_group(count: int, shown: int) -> Group:
    return Group("server", "a", (make_observed(),) * shown, count, 12.6, 10_000_000)


def test_a_process_is_a_row_of_six_cells() -> None:
    cells = words.process_cells(make_observed())
    assert cells == ("node x", "7", "a", "2 h 5 min", "1.2 %", "5.0 MB")


def test_a_state_that_matters_is_said_behind_the_command() -> None:
    assert words.process_cells(make_observed("zombie"))[0] == "node x  (ended, not yet collected)"


@pytest.mark.parametrize(
    ("count", "shown", "said"),
    [(1, 1, "1 process"), (3, 3, "3 processes"), (5000, 2, "2 of 5,000 processes")],
)
def test_a_group_says_how_many_it_has(count: int, shown: int, said: str) -> None:
    assert words.group_cells(make_group(count, shown))[2] == said


def test_the_total_is_one_line() -> None:
    app = Group("app", "x", (make_observed(),), 1, None, 80_000_000)
    assert words.total_words(Snapshot(app, ())) == "The app itself 80 MB"
    both = words.total_words(Snapshot(app, (make_group(2, 2), make_group(1, 1))))
    assert both == "2 servers, 3 processes, 20 MB; the app itself 80 MB"
    one = words.total_words(Snapshot(app, (make_group(1, 1),)))
    assert one == "1 server, 1 process, 10 MB; the app itself 80 MB"


@pytest.mark.parametrize(
    ("cpu", "said"), [(None, ""), (0.0, "0.0 %"), (9.96, "10.0 %"), (250.4, "250 %")]
)
def test_cpu_has_as_many_digits_as_it_is_worth(cpu: float | None, said: str) -> None:
    assert words.cpu_words(cpu) == said


def test_ends_that_are_no_good_news_have_a_tone() -> None:
    assert words.end_words("closed").color == "muted"
    assert words.end_words("forced").color == "warning"
    assert words.end_words("left").color == "danger"


def test_a_time_of_day_is_shown_to_the_second() -> None:
    assert len(words.clock_words(0.0)) == len("00:00:00")
