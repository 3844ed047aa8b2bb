"""Whether the app has become slower than the last release, told from the noise of the machine.

A figure is a count, which is the same in each run, or a ratio taken by turns against something bare
in the same run, with its quartiles. Only figures of one kind are compared: no wall of one machine
is held against that of another. Must not measure: `check` does.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from tests.benchmarks.harness import Spread

TOLERATED: Final = 0.10
"""How much more than at the release is no regression."""
ATTEMPTS: Final = 3
"""Measurements of a ratio that seems to have grown: the best one counts."""

Measure: TypeAlias = "Callable[[], Spread]"


@dataclass(frozen=True, slots=True)
class Released:
    """A figure as it was at a release; `goal` is what it should be, 0 where none was set."""

    value: float
    low: float
    high: float
    goal: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one figure; `released` is None where the release did not have it."""

    name: str
    now: Spread
    released: Released | None
    attempts: int = 1

    @property
    def is_worse(self) -> bool:
        """More than tolerated, and not in a lucky quarter of the turns only."""
        return is_suspicious(self.now, self.released)

    @property
    def change(self) -> float:
        return self.now.median / self.released.value - 1 if self.released else 0.0

    def __str__(self) -> str:
        now = f"{self.now.median:9.2f} ({self.now.low:.2f}-{self.now.high:.2f})"
        if self.released is None:
            return f"{self.name:<52}{now:<26}new"
        then = f"{self.released.value:.2f} ({self.released.low:.2f}-{self.released.high:.2f})"
        words = "WORSE" if self.is_worse else "well"
        again = f", best of {self.attempts}" if self.attempts > 1 else ""
        goal = f"  goal {self.released.goal:g}" if self.released.goal else ""
        return f"{self.name:<52}{now:<26}{then:<22}{self.change:+6.0%}  {words}{again}{goal}"


def is_suspicious(now: Spread, released: Released | None) -> bool:
    """Whether a measurement is worse than at the release by more than both spreads explain.

    Its middle is beyond what is tolerated, and three quarters of its turns are worse than three
    quarters of those of the release.
    """
    if released is None:
        return False
    return now.median > released.value * (1 + TOLERATED) and now.low > released.high


def judge(name: str, measure: Measure, released: Released | None) -> Verdict:
    """Measure once; what looks worse again, as something else may have kept the machine busy."""
    best = measure()
    attempts = 1
    while is_suspicious(best, released) and attempts < ATTEMPTS and best.low < best.high:
        again = measure()
        best = min(best, again, key=lambda spread: spread.median)
        attempts += 1
    return Verdict(name, best, released, attempts)


def read_release(path: Path) -> tuple[str, dict[str, Released]]:
    """The version of the last release, and its figures by their names."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    figures = {name: Released(**figure) for name, figure in document["figures"].items()}
    return document["version"], figures


def write_release(
    path: Path, version: str, verdicts: Iterable[Verdict], goals: Mapping[str, float]
) -> None:
    """Keep what was measured as the figures of a release; those that were not stay."""
    before = read_release(path)[1] if path.exists() else {}
    figures = {name: asdict(figure) for name, figure in before.items()} | {
        verdict.name: asdict(
            Released(
                round(verdict.now.median, 3),
                round(verdict.now.low, 3),
                round(verdict.now.high, 3),
                goals.get(verdict.name, 0.0),
            )
        )
        for verdict in verdicts
    }
    document = {"version": version, "figures": figures}
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
