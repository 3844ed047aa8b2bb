"""A run counts its work and ends it; what it passed over is known."""

from __future__ import annotations

import pytest

from desktop.tools.work import MOST_STEPS, TooMuchWorkError, current, running


def test_a_run_has_so_many_steps() -> None:
    with running() as run:
        for _ in range(MOST_STEPS):
            run.count()
        with pytest.raises(TooMuchWorkError):
            run.count()


def test_a_run_whose_time_is_up_ends_with_the_next_step() -> None:
    with running() as run:
        run.deadline = 0.0
        with pytest.raises(TooMuchWorkError):
            run.count()


def test_each_run_is_its_own_also_inside_another() -> None:
    with running() as outer:
        with running(is_trial=True) as inner:
            assert current() is inner
            assert (inner.trials, outer.trials) == (1, 0)
        assert current() is outer


def test_what_is_passed_over_twice_is_told_once_and_counted_twice() -> None:
    with running() as run:
        run.skip("a pattern")
        run.skip("a pattern")
    assert (list(run.skipped), run.passed_over) == (["a pattern"], 2)
