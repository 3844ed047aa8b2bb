"""What all providers refuse in a conversation: calls and answers that do not pair.

Each wire says which ids its messages call and answer; this says what is wrong with them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Ids = list[str]


@dataclass
class Said:
    """What one message calls and answers; `is_other`: it also says something else."""

    calls: Ids = field(default_factory=list[str])
    answers: Ids = field(default_factory=list[str])
    is_other: bool = False


def unpaired(messages: Iterable[Said]) -> list[str]:
    """Sentences about calls that are not answered at once, and answers to nothing."""
    found: list[str] = []
    open_calls: Counter[str] = Counter()
    for said in messages:
        for answer in said.answers:
            if not open_calls[answer]:
                found.append(f"an answer without its call: {answer}")
            open_calls[answer] -= 1
        if said.is_other and +open_calls:
            found.append(f"calls without an answer: {sorted(+open_calls)}")
            open_calls.clear()
        open_calls.update(said.calls)
    if +open_calls:
        found.append(f"calls without an answer: {sorted(+open_calls)}")
    return found
