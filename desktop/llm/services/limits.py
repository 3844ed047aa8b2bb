"""How much of an answer is taken, and how long none is waited for. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one request. What is longer is cut, and the answer says so.

    Seconds: `silence` without a byte, `longest` for one answer, `listing` for the list of models.
    `characters` counts text, thoughts and arguments together; `calls` the tool calls of a turn;
    `continuations` how often a turn that the provider paused is taken up again.
    """

    silence: float = 120.0
    longest: float = 3600.0
    listing: float = 30.0
    characters: int = 2_000_000
    events: int = 500_000
    calls: int = 128
    continuations: int = 8


OWN_SERVER: Final = Limits(silence=900.0)
"""A model on a machine of one's own reads a long prompt for minutes before it says a word."""
