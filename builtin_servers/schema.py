"""Checks arguments against the part of JSON Schema that the built-in tools use.

Required, type, enum, unknown property, least and most (of numbers, lengths, items), and the same in
items and inner objects; nothing else, so a tool's schema must not promise more than its handler
checks by itself. The host validates against the full schema; this guards every client.
"""

from __future__ import annotations

from math import isfinite

from builtin_servers.rpc import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_SHOWN = 60
_MOST_PROBLEMS = 10


def find_problems(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with `arguments`, one sentence a problem, each starting with the name."""
    problems: list[str] = []
    for problem in _check_object("", arguments, schema):
        problems.append(problem)
        if len(problems) == _MOST_PROBLEMS:
            break
    return problems


def _check_object(
    prefix: str, fields: Mapping[str, Any], schema: Mapping[str, Any]
) -> Iterable[str]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in fields:
            yield f"{prefix}{name}: is required"
    for name, value in fields.items():
        if name in properties:
            yield from _check_value(f"{prefix}{name}", value, properties[name])
        elif schema.get("additionalProperties") is False:
            takes = ", ".join(properties) or "nothing"
            what = "key; it has" if prefix else "parameter; the tool takes"
            yield f"{prefix}{_show(name)}: is not a {what} {takes}"


def _check_value(name: str, value: Any, schema: Mapping[str, Any]) -> Iterable[str]:
    wanted = schema.get("type")
    if wanted is not None and not _has_type(value, wanted):
        yield f"{name}: must be of type {wanted}, not {_type_of(value)}"
    elif "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(str(choice) for choice in schema["enum"])
        yield f"{name}: must be one of {allowed}, not {_show(value)}"
    elif is_object(value):
        yield from _check_object(f"{name}.", value, schema)
    else:
        yield from _check_size(name, value, schema)
        if "items" in schema:  # then it is a list: every list here has its type
            for index, item in enumerate(value):
                yield from _check_value(f"{name}[{index}]", item, schema["items"])


def _check_size(name: str, value: Any, schema: Mapping[str, Any]) -> Iterable[str]:
    for kind, least, most, unit in _SIZES:
        if isinstance(value, kind):
            size = value if unit == "" else len(value)
            if size < schema.get(least, size):
                yield f"{name}: must be at least {schema[least]}{unit}"
            elif size > schema.get(most, size):
                yield f"{name}: must be at most {schema[most]}{unit}"


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
_SIZES: tuple[tuple[Any, str, str, str], ...] = (
    (str, "minLength", "maxLength", " characters long"),
    (list, "minItems", "maxItems", " items long"),
    (int | float, "minimum", "maximum", ""),
)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
