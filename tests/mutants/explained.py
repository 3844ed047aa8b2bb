"""The faults that no test can notice, each with the reason: `explained.toml`.

    [[fault]]
    module = "desktop/processes/ledger.py"
    place = "Ledger.add"        # function, or "(module)"
    was = "if count > 1:"       # the line; without `was` and `now`: every fault of the function
    now = "if count >= 1:"
    why = "..."

An entry is stale if its fault cannot be made any more, or if a test notices it after all.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.mutants.mutations import find_mutations

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.mutants.mutations import Mutation


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a fault, or every fault of a function, changes nothing that a test could see."""

    module: str
    place: str
    why: str
    was: str = ""
    now: str = ""

    def fits(self, mutation: Mutation) -> bool:
        if (self.module, self.place) != (mutation.module, mutation.place):
            return False
        return not self.was or (self.was, self.now) == (mutation.was, mutation.now)

    def __str__(self) -> str:
        change = f": {self.was} -> {self.now}" if self.was else ""
        return f"{self.module} {self.place}{change}"


def read_explanations(file: Path) -> list[Explanation]:
    """Read the list.

    Raises:
        TypeError: an entry lacks a key, or has one that is not known.
        ValueError: it is not TOML, or an entry gives no reason.
    """
    if not file.exists():
        return []
    entries = [Explanation(**fault) for fault in tomllib.loads(file.read_text("utf-8"))["fault"]]
    for entry in entries:
        if not entry.why.strip():
            raise ValueError(f"no reason for {entry}")
    return entries


def find_stale(
    explanations: Iterable[Explanation], root: Path, killed: Iterable[Mutation]
) -> list[str]:
    """The entries to take out, each with what is wrong with it."""
    killed = list(killed)
    stale: list[str] = []
    for entry in explanations:
        file = root / entry.module
        faults = find_mutations(entry.module, file.read_bytes()) if file.is_file() else []
        if not any(entry.fits(mutation) for mutation in faults):
            stale.append(f"{entry}: there is no such fault")
        elif any(entry.fits(mutation) for mutation in killed):
            stale.append(f"{entry}: a test notices it")
    return stale
