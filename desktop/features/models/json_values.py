"""JSON from strangers: read without trust, copied, and refused where no request can carry it.

The `as_*` functions take what is not of the expected type as missing. Refused are NaN and
infinities, lone surrogates, and values that are nested too deeply or too many. Knows no schema and
no provider.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias, cast

from desktop.base.translatable import translatable

JsonObject: TypeAlias = dict[str, Any]

MAX_DEPTH: Final = 32
"""Levels of a value inside a schema (a default, an enum); JSON readers of servers stop near 100."""
MAX_VALUES: Final = 20_000
MAX_INTEGER: Final = 10**300
"""An integer beyond what a double holds is refused by most readers; 2**53 and more are fine."""


class NotSerializableError(ValueError):
    """A value that no request can carry; the message is the end of a sentence that says why."""


def copy_json(value: Any) -> Any:
    """A deep copy of a JSON value.

    Raises:
        NotSerializableError: no request can carry it.
    """
    return _copy(value, 0, [MAX_VALUES])


def plain_text(text: str) -> str:
    """`text` without lone surrogates, and without control characters but line ends and tabs."""
    if text.isascii() and text.isprintable():
        return text
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c for c in encodable if c >= " " or c in "\n\t\r").replace("\x7f", "")


def is_encodable(text: str) -> bool:
    """Whether `text` has no lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _copy(value: Any, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if left[0] < 0:
        raise NotSerializableError(translatable("too large"))
    if depth > MAX_DEPTH:
        raise NotSerializableError(translatable("it is nested too deeply"))
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {_scalar(key): _copy(each, depth + 1, left) for key, each in members.items()}
    if isinstance(value, list):
        return [_copy(each, depth + 1, left) for each in cast("list[Any]", value)]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, str) and not is_encodable(value):
        raise NotSerializableError(translatable("it contains text that cannot be encoded"))
    if isinstance(value, float) and not math.isfinite(value):
        raise NotSerializableError(translatable("it is not a finite number"))
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise NotSerializableError(translatable("its number is too large"))
    if value is not None and not isinstance(value, str | int | float | bool):
        raise NotSerializableError(translatable("{kind} is not JSON", kind=type(value).__name__))
    return value


def as_object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_objects(value: object) -> list[JsonObject]:
    """The objects in a list, without its other items."""
    return [cast("JsonObject", each) for each in as_list(value) if isinstance(each, dict)]


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int:
    """A positive integer, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def as_index(value: object) -> int:
    """An index of a list; -1 for anything but an integer."""
    return value if isinstance(value, int) else -1
