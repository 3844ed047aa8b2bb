"""Checks arguments against the part of JSON Schema that the built-in tools use.

Required, type, enum, unknown property; nothing else, so a tool's schema must not promise more than
its handler checks by itself. The host validates against the full schema; this guards every client.
"""

from __future__ import annotations

from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_SHOWN = 60


def find_problems(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with `arguments`, one sentence a problem, each starting with the name."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    problems = [
        f"{name}: is required" for name in schema.get("required", ()) if name not in arguments
    ]
    for name, value in arguments.items():
        if name in properties:
            problems += _check_value(name, value, properties[name])
        elif schema.get("additionalProperties") is False:
            takes = ", ".join(properties) or "nothing"
            problems.append(f"{_show(name)}: is not a parameter; the tool takes {takes}")
    return problems


def _check_value(name: str, value: object, schema: Mapping[str, Any]) -> Iterable[str]:
    wanted = schema.get("type")
    if wanted is not None and not _has_type(value, wanted):
        yield f"{name}: must be of type {wanted}, not {_type_of(value)}"
    elif "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(str(choice) for choice in schema["enum"])
        yield f"{name}: must be one of {allowed}, not {_show(value)}"


def _has_type(value: object, wanted: str) -> bool:
    found = _type_of(value)
    if wanted == "number":
        return found in {"number", "integer"}
    if wanted == "integer":
        return found == "integer" or (isinstance(value, float) and value.is_integer())
    return found == wanted


def _type_of(value: object) -> str:
    """The JSON type; a number too large for a double was read as infinity and is none."""
    if isinstance(value, float):
        return "number" if isfinite(value) else "a number out of range"
    for kind, name in _TYPES:
        if isinstance(value, kind):
            return name
    return "null"


_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),  # before int: True is an int in Python, not in JSON
    (int, "integer"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
