"""Finds words in the keys and values of a JSON value, step by step. Must not import Qt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Path: TypeAlias = tuple[str | int, ...]

STEPS = 200
"""Values looked at between two chances to interrupt."""
_LOOKED_AT = 1_000_000  # characters of one string


def places(value: Any, words: str) -> Iterator[Path | None]:
    """The path of each value whose key or own text has `words` in it, from the top down.

    Large and small letters are alike. None comes after some values without a match.
    """
    wanted = words.lower()
    for steps, (path, item) in enumerate(_walk(value), 1):
        if _says(path, item, wanted):
            yield path
        if steps % STEPS == 0:
            yield None


def _walk(value: Any) -> Iterator[tuple[Path, Any]]:
    """Every value with its path, parents first; a stack of its own, for values of any depth."""
    levels: list[tuple[Path, Iterator[tuple[str | int, Any]]]] = [((), _inside(value))]
    yield (), value
    while levels:
        path, items = levels[-1]
        if (step := next(items, None)) is None:
            levels.pop()
            continue
        key, item = step
        below = (*path, key)
        yield below, item
        if isinstance(item, (dict, list)):
            levels.append((below, _inside(item)))


def _inside(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        yield from enumerate(cast("list[Any]", value))


def _says(path: Path, item: Any, wanted: str) -> bool:
    if path and isinstance(path[-1], str) and wanted in path[-1].lower():
        return True
    if isinstance(item, str):
        return wanted in item[:_LOOKED_AT].lower()
    if isinstance(item, (dict, list)):
        return False
    return wanted in json.dumps(item, default=str).lower()
