"""How often something succeeds, as far as so many runs can tell. Pure.

The interval of a share is that of Wilson (1927), the one of a difference of two shares that of
Newcombe (1998, method 10). Who looks several times and stops at a good moment is wrong more often
than the interval says: so it is wider where a run may look more than once (Bonferroni), and the
looks are few.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

Verdict: TypeAlias = Literal["passed", "failed", "undecided", "not measured"]
LEVEL = 0.95


class Interval(NamedTuple):
    """Both ends of where a rate, or a difference, is expected."""

    low: float
    high: float


class Bar(Struct, frozen=True):
    """Which share of the runs has to pass, of how many runs at first and at most."""

    share: float
    runs: int
    most: int

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many runs it is decided whether to go on: each time twice as many."""
        found = [self.runs]
        while found[-1] < self.most:
            found.append(min(2 * found[-1], self.most))
        return tuple(found)

    def interval(self, passed: int, runs: int) -> Interval:
        """Where the rate is by so many runs, with 95 % for all looks together."""
        return wilson(passed, runs, len(self.looks))

    def verdict(self, passed: int, runs: int) -> Verdict:
        """What can be said now. With a share of 1 each run has to pass, and no more is said."""
        if runs == 0:
            return "not measured"
        if self.share >= 1:
            if passed < runs:
                return "failed"
            return "passed" if runs >= self.runs else "undecided"
        low, high = self.interval(passed, runs)
        if low >= self.share:
            return "passed"
        return "failed" if high < self.share else "undecided"

    def once(self, runs: int) -> Bar:
        """The same share, with one look after so many runs."""
        return Bar(self.share, max(runs, 1), max(runs, 1))

    def needed(self) -> int:
        """How many runs it takes to pass where all of them do."""
        if self.share >= 1:
            return self.runs
        z = _z(len(self.looks))
        return ceil(self.share * z * z / (1 - self.share) - 1e-9)


def wilson(passed: int, runs: int, looks: int = 1) -> Interval:
    """The interval of a share. Args: looks: how often one may look and stop."""
    if runs == 0:
        return Interval(0.0, 1.0)
    z = _z(looks)
    share, square = passed / runs, z * z
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = z * sqrt(share * (1 - share) / runs + square / (4 * runs * runs)) / (1 + square / runs)
    low = 0.0 if passed == 0 else max(0.0, middle - half)
    return Interval(low, 1.0 if passed == runs else min(1.0, middle + half))


def newcombe(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """The interval of the second share less the first. Args: both: passed, and of how many runs."""
    if not (first[1] and second[1]):
        return Interval(-1.0, 1.0)
    one, two = first[0] / first[1], second[0] / second[1]
    a, b = wilson(*first), wilson(*second)
    difference = two - one
    low = difference - sqrt((two - b.low) ** 2 + (a.high - one) ** 2)
    high = difference + sqrt((b.high - two) ** 2 + (one - a.low) ** 2)
    return Interval(max(-1.0, low), min(1.0, high))


def _z(looks: int) -> float:
    return NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / looks)
