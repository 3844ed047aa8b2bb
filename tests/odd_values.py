"""A value with one part of it after the other replaced by whatever else JSON can hold."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeGuard

from tests.servers.base import is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

ODD: tuple[Any, ...] = (None, 7, 1.5, True, "odd", [], {}, [None], {"odd": 1}, [[]], [{}])


def wronged(value: Any) -> Iterator[tuple[str, Any]]:
    """`value` with one part of it replaced by each odd value, or taken out, and where that is."""
    places: list[Any] = list(range(len(value)) if is_list(value) else value)
    for place in places:
        for odd in (*ODD, ...):
            changed = copy.copy(value)
            if odd is not ...:
                changed[place] = odd
            else:
                del changed[place]
            yield f"{place}={odd}", changed
        if is_list(value[place]) or is_object(value[place]):
            for where, inner in wronged(value[place]):
                changed = copy.copy(value)
                changed[place] = inner
                yield f"{place}.{where}", changed


def is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
