"""The part of JSON Schema that built-in tools use: writing it, and checking arguments against it.

Checked are required, type, enum, unknown properties, and the bounds of numbers, lengths and items,
also inside arrays and objects. Nothing else is, so a tool's schema must not promise more than its
handler checks itself. The host validates against the full schema; this guards every other client.
"""

from __future__ import annotations

from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeGuard

    JsonSchema = Mapping[str, Any]

_MAX_SHOWN_CHARS = 60
_MAX_PROBLEMS = 10

STRING: JsonSchema = {"type": "string"}
INTEGER: JsonSchema = {"type": "integer"}
BOOLEAN: JsonSchema = {"type": "boolean"}


def string(description: str, **more: object) -> JsonSchema:
    return {"type": "string", "description": description, **more}


def string_list(description: str, **more: object) -> JsonSchema:
    return {"type": "array", "description": description, "items": STRING, **more}


def positive_integer(description: str, **more: object) -> JsonSchema:
    """A whole number from 1 up, unless `more` sets another minimum."""
    return {"type": "integer", "description": description, "minimum": 1, **more}


def boolean(description: str, *, default: bool) -> JsonSchema:
    return {"type": "boolean", "description": description, "default": default}


def closed_object(properties: JsonSchema, required: Sequence[str] | None = None) -> JsonSchema:
    """An object without other properties; all are required unless `required` names some."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def array(items: JsonSchema, description: str = "", **more: object) -> JsonSchema:
    described = {"description": description} if description else {}
    return {"type": "array", **described, "items": items, **more}


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)  # keys are strings: the value was read from JSON


def is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def find_problems(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with `arguments`: one sentence per problem, at most ten, the name first."""
    problems: list[str] = []
    for problem in _check_object("", arguments, schema):
        problems.append(problem)
        if len(problems) == _MAX_PROBLEMS:
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
            yield f"{prefix}{_clip_repr(name)}: is not a {what} {takes}"


def _check_value(name: str, value: Any, schema: Mapping[str, Any]) -> Iterable[str]:
    wanted = schema.get("type")
    if wanted is not None and not _has_type(value, wanted):
        yield f"{name}: must be of type {wanted}, not {_type_of(value)}"
    elif "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(str(choice) for choice in schema["enum"])
        yield f"{name}: must be one of {allowed}, not {_clip_repr(value)}"
    elif is_object(value):
        yield from _check_object(f"{name}.", value, schema)
    else:
        yield from _check_size(name, value, schema)
        if "items" in schema:  # then it is a list: every list here has its type
            for index, item in enumerate(value):
                yield from _check_value(f"{name}[{index}]", item, schema["items"])


def _check_size(name: str, value: Any, schema: Mapping[str, Any]) -> Iterable[str]:
    for kind, minimum, maximum, unit in _SIZE_KEYWORDS:
        if isinstance(value, kind):
            size = value if unit == "" else len(value)
            if size < schema.get(minimum, size):
                yield f"{name}: must be at least {schema[minimum]}{unit}"
            elif size > schema.get(maximum, size):
                yield f"{name}: must be at most {schema[maximum]}{unit}"


def _has_type(value: object, wanted: str) -> bool:
    found = _type_of(value)
    if wanted == "number":
        return found in {"number", "integer"}
    if wanted == "integer":
        return found == "integer" or (isinstance(value, float) and value.is_integer())
    return found == wanted


def _type_of(value: object) -> str:
    """The JSON type. A number too large for a double was read as infinity and has none."""
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
_SIZE_KEYWORDS: tuple[tuple[Any, str, str, str], ...] = (
    (str, "minLength", "maxLength", " characters long"),
    (list, "minItems", "maxItems", " items long"),
    (int | float, "minimum", "maximum", ""),
)


def _clip_repr(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN_CHARS else text[:_MAX_SHOWN_CHARS] + "…"
