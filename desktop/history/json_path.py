"""Finds a value in JSON by the path that validation prints: `a.b[0].c`, `["a.b"]` for odd names.

Small on purpose: no wildcards, no filters. Must not change anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from desktop.history.record import Place

MISSING: Final[Any] = object()
_STEP = re.compile(
    r'(?P<dot>\.)?(?:(?P<name>[^.\[\]"\s]+)|\[(?P<index>-?\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\])'
)


def parse_path(text: str) -> Place:
    """The parts of a path; the empty text and `$` are the whole.

    Raises:
        ValueError: it is no such path; the message says where.
    """
    rest = text.strip().removeprefix("$")
    parts: list[str | int] = []
    at = 0
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None or _is_misplaced(step, at, has_root=text.strip().startswith("$")):
            raise ValueError(f"{text!r} is no path at {rest[at : at + 20]!r}")
        parts.append(_part(step))
        at = step.end()
    return tuple(parts)


def find(value: Any, place: Place) -> Any:
    """What is there, or `MISSING`; negative indices count from the end."""
    for part in place:
        if isinstance(part, int) and isinstance(value, list):
            items = cast("list[Any]", value)
            if not -len(items) <= part < len(items):
                return MISSING
            value = items[part]
        elif isinstance(part, str) and isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value).get(part, MISSING)
            if value is MISSING:
                return MISSING
        else:
            return MISSING
    return value


def _is_misplaced(step: re.Match[str], at: int, *, has_root: bool) -> bool:
    """A name follows a dot but for the first, and nothing else does."""
    needs_dot = step["name"] is not None and (at > 0 or has_root)
    return (step["dot"] is not None) != needs_dot


def _part(step: re.Match[str]) -> str | int:
    if step["index"] is not None:
        return int(step["index"])
    return step["name"] if step["name"] is not None else str(json.loads(step["quoted"]))
