"""How much of an answer is taken, and how long none is waited for. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one request. What is longer is cut, and the answer says so.

    `silence` and `listing` are in seconds: without any event, and for the list of models.
    `characters` counts text, thoughts and arguments together; `calls` the tool calls of a turn;
    `continuations` how often a turn that the provider paused is taken up again.
    """

    silence: float = 120.0
    listing: float = 30.0
    characters: int = 2_000_000
    events: int = 500_000
    calls: int = 128
    continuations: int = 8
