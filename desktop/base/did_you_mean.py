"""Finds the names that somebody may have meant by one that is not there.

For commands, tools and arguments alike, so that the same slip is forgiven everywhere: another case,
a letter too many or too few, two letters swapped. The work is bounded, as both sides may be a
stranger's. Must not import anything of the project.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_COMPARED: Final = 2_000
"""Names that are looked at: comparing one takes some microseconds."""
MAX_LENGTH: Final = 100
"""Characters of a name that are compared."""


def nearest_names(wanted: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The names most like `wanted`, at most `most`, the nearest first; empty where none is near."""
    from difflib import get_close_matches  # not at import: most runs make no such mistake

    by_folded: dict[str, list[str]] = {}
    for name in islice(names, MAX_COMPARED):
        by_folded.setdefault(name[:MAX_LENGTH].casefold(), []).append(name)
    near = get_close_matches(wanted[:MAX_LENGTH].casefold(), by_folded, most)
    return [name for folded in near for name in by_folded[folded]][:most]
