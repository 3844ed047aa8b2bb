"""Reads JSON that a stranger sent: what is not of the expected kind counts as not there.

Raises nothing but where it says so. Knows no provider.
"""

from __future__ import annotations

from typing import Any, TypeAlias, cast

Object: TypeAlias = dict[str, Any]


def as_object(value: object) -> Object:
    return cast("Object", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_objects(value: object) -> list[Object]:
    """The objects in a list; what else is in it is passed over."""
    return [cast("Object", each) for each in as_list(value) if isinstance(each, dict)]


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int:
    """A number of things: an integer that is not negative, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def as_index(value: object) -> int:
    """A place in a list; -1 for what is none."""
    return value if isinstance(value, int) else -1


def as_event(value: object) -> Object:
    """An event of a stream. Raises `ValueError` for what is no object."""
    if not isinstance(value, dict):
        raise ValueError(f"an event that is no object, but {type(value).__name__}")  # noqa: TRY004
    return cast("Object", value)
