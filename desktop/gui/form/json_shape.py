"""Looks at JSON of unknown shape: an object or nothing, a list or nothing, exactly the same value.

Knows nothing of schemas and widgets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject


def object_of(value: Any) -> JsonObject:
    """The value where it is an object, else an empty one."""
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def list_of(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def names_of(value: Any) -> list[str]:
    """The texts in a list, each once; everything else is passed over."""
    return list(dict.fromkeys(each for each in list_of(value) if isinstance(each, str)))


def same(one: Any, other: Any) -> bool:
    """Whether both are the same JSON, types included: 1, 1.0 and true are three values."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        left, right = cast("JsonObject", one), cast("JsonObject", other)
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(one, list) and isinstance(other, list):
        ours, theirs = cast("list[Any]", one), cast("list[Any]", other)
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    left_kind: type[object] = type(cast("object", one))
    return left_kind is type(cast("object", other)) and one == other
