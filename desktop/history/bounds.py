"""How much of a call is kept, and a measure that never takes long. Must not encode anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

_NODE = 6
"""Bytes that are counted for whatever is no text: a number, a bracket, a comma."""


@dataclass(frozen=True, slots=True)
class HistoryLimits:
    """What the history may take. Sizes are in bytes (of text: characters)."""

    calls: int = 10_000
    total: int = 200_000_000
    text: int = 1_000_000
    """Of one output; the same for arguments, structured content and `_meta`, each."""
    media: int = 4_000_000
    """Of all images, sounds and files of one result together."""
    pending: int = 64_000_000
    """What may wait for the disk; calls beyond are not recorded, and that is said."""
    searched: int = 20_000
    """Characters of an output that can be found."""


def json_size(value: Any, most: int) -> int:
    """Roughly the characters that `value` has as JSON; stops counting at twice `most`.

    Without recursion and without building the text: a value of any size or depth is safe.
    """
    size, todo = 0, [value]
    while todo and size <= 2 * most:
        here = todo.pop()
        if isinstance(here, str):
            size += len(here) + 2
            continue
        size += _NODE
        if isinstance(here, Mapping):
            members = cast("Mapping[str, Any]", here)
            size += sum(map(len, members)) + 4 * len(members)
            todo.extend(members.values())
        elif isinstance(here, list | tuple):
            todo.extend(cast("list[Any]", here))
    return size
