"""The table of a run, its survivors, and whether it was good enough."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutants.explained import Explanation
    from tests.mutants.mutations import Mutation
    from tests.mutants.trials import Verdict

GOAL = 0.9
"""Share of the faults that tests notice, those included that no test can notice."""
_ROW = "{:<44} {:>7} {:>6} {:>9} {:>8}"


@dataclass(slots=True)
class Report:
    """What came of each fault. `problems` are what else makes the run fail."""

    verdicts: list[tuple[Mutation, Verdict]] = field(
        default_factory=list["tuple[Mutation, Verdict]"]
    )
    explanations: Sequence[Explanation] = ()
    problems: list[str] = field(default_factory=list[str])

    @property
    def survivors(self) -> list[Mutation]:
        return [mutation for mutation, verdict in self.verdicts if verdict == "survived"]

    @property
    def killed(self) -> list[Mutation]:
        return [mutation for mutation, verdict in self.verdicts if verdict != "survived"]

    @property
    def share(self) -> float:
        return len(self.killed) / len(self.verdicts) if self.verdicts else 1.0

    @property
    def is_good(self) -> bool:
        explained = all(self._explain(mutation) for mutation in self.survivors)
        return explained and not self.problems and self.share >= GOAL

    def __str__(self) -> str:
        lines = [_ROW.format("module", "mutants", "killed", "timed out", "survived")]
        modules = dict.fromkeys(mutation.module for mutation, _ in self.verdicts)
        lines += [self._row(module, module) for module in modules]
        lines += [self._row("", "all"), f"{self.share:.1%} killed, the goal is {GOAL:.0%}"]
        for mutation in self.survivors:
            why = self._explain(mutation)
            lines += [
                "",
                f"{mutation.module}:{mutation.line} {mutation.place}",
                f"  - {mutation.was}",
                f"  + {mutation.now}",
                f"  {why}" if why else "  NOT EXPLAINED: write a test, or a reason",
            ]
        return "\n".join(lines + [f"PROBLEM: {problem}" for problem in self.problems])

    def _explain(self, mutation: Mutation) -> str:
        return next((entry.why for entry in self.explanations if entry.fits(mutation)), "")

    def _row(self, module: str, label: str) -> str:
        counts = Counter(v for mutation, v in self.verdicts if module in ("", mutation.module))
        return _ROW.format(
            label, counts.total(), counts["killed"], counts["timed out"], counts["survived"]
        )
