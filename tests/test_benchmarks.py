"""A figure that grew fails the check against the last release; the noise of a machine does not."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.signals import Signal
from tests.benchmarks import check
from tests.benchmarks.harness import Calibration, Compared, Spread, awake
from tests.benchmarks.hops import traced
from tests.benchmarks.regression import ATTEMPTS, Released, judge, read_release

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RELEASED = Released(0.70, 0.67, 0.73)
COUNT = "modules imported by an attached call"


def measured(*attempts: Spread) -> Callable[[], Spread]:
    """Gives one after the other; asked more often than it should be, it fails."""
    left = iter(attempts)
    return lambda: next(left)


def around(median: float, spread: float = 0.03) -> Spread:
    return Spread(median * (1 - spread), median, median * (1 + spread))


def test_a_ratio_that_grew_by_more_than_a_tenth_in_each_attempt_is_worse() -> None:
    verdict = judge("call", measured(around(0.80), around(0.79), around(0.82)), RELEASED)
    assert verdict.is_worse
    assert verdict.attempts == ATTEMPTS
    assert verdict.now.median == 0.79
    assert "+13%  WORSE, best of 3" in str(verdict)


@pytest.mark.parametrize(
    "attempts",
    [
        [around(0.70)],
        [around(0.40)],
        [around(0.76)],  # a tenth is tolerated
        [around(0.95), around(0.72)],  # something else kept the machine busy
        [around(0.95), around(0.90), around(0.76)],
        [Spread(0.65, 0.80, 1.30)],  # a quarter of the turns was no slower than at the release
        [Spread(0.72, 0.80, 0.85)],  # or no slower than a quarter of those of the release
    ],
)
def test_what_is_within_the_noise_is_well(attempts: list[Spread]) -> None:
    verdict = judge("call", measured(*attempts), RELEASED)
    assert not verdict.is_worse
    assert verdict.attempts == len(attempts)


def test_a_count_is_the_same_each_time_and_measured_once() -> None:
    released = Released(100, 100, 100)
    assert judge("modules", measured(Spread.of([111])), released).is_worse
    assert not judge("modules", measured(Spread.of([110])), released).is_worse


def test_a_figure_that_the_release_did_not_have_is_new() -> None:
    verdict = judge("call", measured(around(9)), None)
    assert not verdict.is_worse
    assert str(verdict).endswith("new")


def test_a_trace_counts_the_calls_and_files_of_ours_alone() -> None:
    with traced() as trace:
        Signal[[]]()
        json.dumps({})
        Signal[[]]()
    Signal[[]]()
    assert [os.path.basename(file) for file in trace.files] == ["signals.py"]
    assert trace.calls == 2


@pytest.mark.process
def test_the_check_fails_for_a_made_up_regression_and_for_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "released.json"
    words = ["--released", str(path), COUNT]
    assert check.main(["--record", "1.2.3", *words]) == 0
    assert check.main(words) == 0
    version, figures = read_release(path)
    assert version == "1.2.3"
    capsys.readouterr()
    smaller = round(figures[COUNT].value * 0.85)
    figure = {"value": smaller, "low": smaller, "high": smaller, "goal": 0}
    path.write_text(json.dumps({"version": "1.2.3", "figures": {COUNT: figure}}), encoding="utf-8")
    assert check.main(words) == 1
    said = capsys.readouterr().out
    assert f"worse than 1.2.3: {COUNT}" in said
    assert "machine: " in said


def test_a_release_that_is_recorded_in_part_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "released.json"
    other = {"value": 1, "low": 1, "high": 1, "goal": 0}
    path.write_text(json.dumps({"version": "1", "figures": {"other": other}}), encoding="utf-8")
    assert check.main(["--record", "2", "--released", str(path), COUNT]) == 0
    assert set(read_release(path)[1]) == {"other", COUNT}


def test_the_figures_of_the_last_release_are_those_that_are_measured() -> None:
    _, figures = read_release(check.RELEASED)
    assert set(figures) == set(check.FIGURES)
    assert {name: figure.goal for name, figure in figures.items()} == {
        name: goal for name, (_, goal) in check.FIGURES.items()
    }
    assert all(one.low <= one.value <= one.high for one in figures.values())


def test_ratios_are_those_of_the_turns_with_their_quartiles() -> None:
    compared = Compared(((1.0, 2.0), (2.0, 2.0), (30.0, 20.0), (2.0, 2.0), (1.0, 1.0)))
    assert compared.ratio == Spread(1.0, 1.0, 1.0)
    assert (compared.ours, compared.bare) == (2.0, 2.0)
    assert "1.00 x (1.00-1.00)" in str(compared.row("call", "<= 1.0 x"))


def test_a_machine_is_noisy_where_the_same_loop_takes_longer_now_and_then() -> None:
    calibration = Calibration()
    calibration.taken = [0.001] * 30
    assert calibration.is_quiet
    calibration.taken += [0.0015] * 15
    assert not calibration.is_quiet
    assert "TOO NOISY" in str(calibration)


def test_what_keeps_the_cores_awake_yields_to_everybody_and_ends_with_its_block() -> None:
    before = psutil.Process().children()
    with awake():
        spinning = [each for each in psutil.Process().children() if each not in before]
        assert len(spinning) == os.cpu_count()
        assert {each.nice() for each in spinning} == {19}
    assert [each for each in spinning if each.is_running()] == []
