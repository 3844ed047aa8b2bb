"""Paths into a JSON value, as validation prints them: `a.b[0].c`, `["a.b"]` for odd names.

A pattern may also have `[*]`, for each item of a list and each member of an object. No filters.
Must not know whose value it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from desktop.values.tool_types import JsonPath

MISSING: Final[Any] = object()
EACH: Final = None
"""The part of a pattern that stands for each item or member."""
Pattern: TypeAlias = tuple[str | int | None, ...]
_STEP = compile_later(
    r'(?P<dot>\.)?(?:(?P<name>[^.\[\]"\s]+)|\[(?P<index>-?\d{1,9})\]|\[(?P<each>\*)\]'
    r'|\[(?P<quoted>"(?:[^"\\]|\\.)*")\])'
)


def parse_path(text: str) -> JsonPath:
    """The parts of a path; the empty text and `$` are the whole.

    Raises:
        ValueError: it is no such path; the message says where.
    """
    parts = parse_pattern(text)
    path = tuple(part for part in parts if part is not None)
    if len(path) < len(parts):
        raise ValueError(translatable("{text!r} is no path of one value: it has [*]", text=text))
    return path


def parse_pattern(text: str) -> Pattern:
    """The same with `[*]`, which is `EACH`."""
    rest = text.strip().removeprefix("$")
    parts: list[str | int | None] = []
    at = 0
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None or _is_misplaced(step, at, has_root=text.strip().startswith("$")):
            place = rest[at : at + 20]
            raise ValueError(
                translatable("{text!r} is no path at {place!r}", text=text, place=place)
            )
        parts.append(_part(step))
        at = step.end()
    return tuple(parts)


def find(value: Any, place: JsonPath) -> Any:
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


def replaced(value: Any, patterns: Iterable[Pattern], mark: str) -> Any:
    """A copy of `value` with `mark` in place of all that these patterns lead to.

    What is not on the way to one of them is shared with `value`.
    """
    here = list(patterns)
    if not here:
        return value
    if any(not pattern for pattern in here):
        return mark
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {
            name: replaced(member, _beyond(here, name, 0), mark) for name, member in members.items()
        }
    if isinstance(value, list):
        items = cast("list[Any]", value)
        count = len(items)
        return [replaced(item, _beyond(here, n, count), mark) for n, item in enumerate(items)]
    return value


def _beyond(patterns: list[Pattern], part: str | int, count: int) -> list[Pattern]:
    """What is left of the patterns that go on with `part`, of a list with so many items."""
    found: list[Pattern] = []
    for first, *rest in patterns:
        is_from_end = isinstance(first, int) and first < 0 and first + count == part
        if first is EACH or is_from_end or (first == part and type(first) is type(part)):
            found.append(tuple(rest))
    return found


def _is_misplaced(step: re.Match[str], at: int, *, has_root: bool) -> bool:
    """A name follows a dot but for the first, and nothing else does."""
    needs_dot = step["name"] is not None and (at > 0 or has_root)
    return (step["dot"] is not None) != needs_dot


def _part(step: re.Match[str]) -> str | int | None:
    if step["index"] is not None:
        return int(step["index"])
    if step["each"] is not None:
        return EACH
    return step["name"] if step["name"] is not None else str(json.loads(step["quoted"]))
