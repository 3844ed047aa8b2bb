"""The table of a run: each server with each client, and the sum.

The seconds are those of a person: from a client's start to the end of its process. Ours is the
command `mcp-desktop tools`, as the Inspector's is its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.wild.trials import CLIENTS, Outcome

if TYPE_CHECKING:
    from tests.wild.trials import Client, Trial

_TITLES: dict[Client, str] = {"ours": "ours", "sdk": "SDK", "inspector": "Inspector"}


@dataclass(slots=True)
class Report:
    """What came of each server."""

    trials: list[Trial] = field(default_factory=list["Trial"])

    @property
    def is_good(self) -> bool:
        """Whether ours is worse with none, and leaves nothing behind."""
        return not any(trial.is_worse or _left(trial, "ours") for trial in self.tried)

    @property
    def tried(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.outcomes]

    def __str__(self) -> str:
        titles = " | ".join(_TITLES[client] for client in CLIENTS)
        lines = [
            f"| server | version | {titles} | seconds {titles.replace('|', '/')} |",
            "|---|---|---|---|---|---|",
        ]
        lines += [self._row(trial) for trial in self.tried]
        lines += [self._sum(), ""]
        for trial in self.trials:
            if trial.problem:
                lines.append(f"not installed: {trial.name}: {trial.problem}")
        for trial in self.tried:
            if all(outcome.error for outcome in trial.outcomes.values()):
                why = f"needs {trial.needs}" if trial.needs else trial.outcomes["ours"].error
                lines.append(f"fails with all: {trial.name}: {' '.join(why.split())}")
            if trial.is_worse:
                lines.append(f"WORSE: {trial.name}: {trial.outcomes['ours'].error}{trial.missed}")
        return "\n".join(lines)

    def _row(self, trial: Trial) -> str:
        cells = " | ".join(_cell(trial.outcomes[client]) for client in CLIENTS)
        seconds = " / ".join(_seconds(trial.outcomes[client]) for client in CLIENTS)
        return f"| {trial.name} | {trial.version} | {cells} | {seconds} |"

    def _sum(self) -> str:
        tried = self.tried
        sums: list[str] = []
        for client in CLIENTS:
            outcomes = [trial.outcomes[client] for trial in tried]
            connected = [outcome for outcome in outcomes if not outcome.error]
            tools = sum(len(outcome.names) for outcome in connected)
            left = sum(outcome.left for outcome in outcomes)
            sums.append(f"{len(connected)} connected, {tools} tools, {left} processes left")
        by_all = [
            trial.outcomes
            for trial in tried
            if not any(trial.outcomes[client].error for client in CLIENTS)
        ]
        seconds = " / ".join(
            f"{sum(outcomes[client].seconds for outcomes in by_all):.1f}" for client in CLIENTS
        )
        return f"| **{len(tried)} servers** | | {' | '.join(sums)} | {seconds} |"


def _cell(outcome: Outcome) -> str:
    count = "fail" if outcome.error else str(len(outcome.names))
    return f"{count}, {outcome.left} left" if outcome.left else count


def _seconds(outcome: Outcome) -> str:
    return "-" if outcome.error else f"{outcome.seconds:.2f}"


def _left(trial: Trial, client: Client) -> int:
    return trial.outcomes[client].left
