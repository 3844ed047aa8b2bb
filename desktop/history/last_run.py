"""How a saved call went last: what of a verdict is kept from run to run. Holds; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime


Outcome: TypeAlias = Literal["passed", "failed", "unreachable", "timeout"]
SavedCallPlace: TypeAlias = tuple[str, str]
"""A file and the name of a call in it."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """`at` in UTC. What the call answered is in the history, not here."""

    outcome: Outcome
    at: datetime
    seconds: float
