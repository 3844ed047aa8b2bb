"""Keeps the check of a large value off the loop: it may take half a second. Checks nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
LARGE: Final = 1_000
"""Values in a value from which it is checked in a thread: below, that takes some milliseconds."""


async def off_loop_if_large(check: Callable[[Any, Any], T], schema: object, value: object) -> T:
    """`check(schema, value)`, in a thread where the value is large."""
    if is_large(value):
        return await asyncio.to_thread(check, schema, value)
    return check(schema, value)


def is_large(value: object) -> bool:
    """Whether it holds more than `LARGE` values; looks at no more of them than that."""
    todo, seen = [value], 0
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            todo.extend(cast("dict[str, object]", here).values())
        elif isinstance(here, list):
            todo.extend(cast("list[object]", here))
        seen += 1
        if seen + len(todo) > LARGE:
            return True
    return False
