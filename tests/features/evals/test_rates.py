"""The intervals: known figures, their coverage computed exactly, and what a bar says of them."""

from __future__ import annotations

import pytest

from desktop.features.evals.rates import Bar, newcombe, wilson


@pytest.mark.parametrize(
    ("passed", "runs", "low", "high"),
    [  # Newcombe 1998, "Two-sided confidence intervals", table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_of_a_share_is_wilsons(
    passed: int, runs: int, low: float, high: float
) -> None:
    assert wilson(passed, runs) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [  # Newcombe 1998, "Interval estimation for the difference", table II, method 10; ours is b - a
        ((48, 80), (56, 70), 0.3339, 0.0524),
        ((0, 10), (10, 10), 1.0, 0.6075),
    ],
)
def test_the_interval_of_a_difference_is_newcombes(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    found = newcombe(first, second)
    assert sorted(found) == [pytest.approx(high, abs=2e-4), pytest.approx(low, abs=2e-4)]


def coverage(bar: Bar, rate: float) -> float:
    """How likely the interval at the end has the true rate in it; computed, not drawn."""
    going, covered, runs = {0: 1.0}, 0.0, 0
    for look in bar.looks:
        for _ in range(look - runs):
            following: dict[int, float] = {}
            for passed, chance in going.items():
                following[passed] = following.get(passed, 0) + chance * (1 - rate)
                following[passed + 1] = following.get(passed + 1, 0) + chance * rate
            going = following
        runs = look
        ended = {
            passed
            for passed in going
            if runs == bar.most or bar.verdict(passed, runs) != "undecided"
        }
        for passed in ended:
            low, high = bar.interval(passed, runs)
            covered += going.pop(passed) * (low <= rate <= high)
    return covered


@pytest.mark.parametrize("bar", [Bar(0.7, 10, 10), Bar(0.7, 10, 40), Bar(0.8, 20, 100)])
def test_who_looks_several_times_is_not_wrong_more_often_than_said(bar: Bar) -> None:
    rates = [number / 40 for number in range(2, 39)]
    found = [coverage(bar, rate) for rate in rates]
    assert sum(found) / len(found) >= 0.95
    assert min(found) >= 0.91  # Wilson's own with one look; the plain interval falls to 0.86


def test_a_look_after_each_run_with_the_plain_interval_would_be_wrong_far_more_often() -> None:
    class Eager(Bar, frozen=True):
        @property
        def looks(self) -> tuple[int, ...]:
            return tuple(range(1, 41))

        def interval(self, passed: int, runs: int) -> tuple[float, float]:  # type: ignore[override]
            return wilson(passed, runs)

    assert coverage(Eager(0.8, 1, 40), 0.8) < 0.8


def test_with_a_share_of_one_each_run_has_to_pass() -> None:
    bar = Bar(1, 3, 3)
    assert [bar.verdict(*each) for each in ((2, 2), (1, 2), (3, 3), (0, 0))] == [
        "undecided",
        "failed",
        "passed",
        "not measured",
    ]


def test_what_could_not_pass_by_so_many_runs_is_known_before() -> None:
    assert Bar(0.7, 9, 9).needed() == 9
    assert Bar(0.7, 9, 9).verdict(9, 9) == "passed"
    assert Bar(0.7, 8, 8).verdict(8, 8) == "undecided"
    assert Bar(0.9, 10, 10).needed() == 35
