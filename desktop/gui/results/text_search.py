"""Finds words in a text of any length, slice by slice. Must not import Qt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SLICE = 256_000
"""Characters looked at between two chances to interrupt: about a millisecond."""


def places(text: str, words: str) -> Iterator[int | None]:
    """Where `words` begin in `text`, large or small letters alike; None after each slice."""
    needle = words.lower()
    pattern = re.compile(re.escape(words), re.IGNORECASE)
    for start in range(0, len(text), SLICE):
        part = text[start : start + SLICE + len(words) - 1]
        folded = part.lower()
        if len(folded) == len(part) and len(needle) == len(words):
            at = folded.find(needle)
            while at >= 0:
                yield start + at
                at = folded.find(needle, at + len(needle))
        else:  # a letter whose small form is longer: the places would be off
            yield from (start + found.start() for found in pattern.finditer(part))
        yield None
