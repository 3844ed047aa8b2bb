"""Which keywords of JSON Schema hold what: other schemas, plain values, or nothing that matters.

Source: JSON Schema draft 2020-12, core and validation, and its metaschemas. Changes nothing.
"""

from __future__ import annotations

import math
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Callable

Schema: TypeAlias = dict[str, Any]

NEVER: Final[Schema] = {"not": {}}
"""The schema that nothing fits: what `false` is as an object."""
TYPES: Final = ("null", "boolean", "object", "array", "number", "integer", "string")

SINGLE: Final = frozenset(
    {"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"}
)
LISTS: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
NAMED: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
SAME_VALUE: Final = frozenset(
    {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas"}
)
"""Keywords whose schemas judge the value itself, not a part of it."""

TEXTS: Final = frozenset({"title", "description"})
ANNOTATIONS: Final = TEXTS | {
    "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "format", "$comment",
    "contentEncoding", "contentMediaType", "discriminator", "markdownDescription",
}  # fmt: skip
"""What says nothing about which values are valid (`format` is an annotation in 2020-12)."""
OF_NO_USE: Final = frozenset(
    {"$schema", "$id", "$comment", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"}
)
"""Bookkeeping that Gemini refuses and nobody needs once references are resolved."""
DEFINITIONS: Final = frozenset({"$defs", "definitions"})
NOT_CARRIED_ON: Final = frozenset(
    {
        "$dynamicRef", "$recursiveRef", "dependencies", "unevaluatedProperties",
        "unevaluatedItems", "contentSchema", "additionalItems",
    }
)  # fmt: skip
"""Rules that depend on what was evaluated elsewhere or are of another draft; hardly ever used."""


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e300 and math.isfinite(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(x, str) for x in cast("list[Any]", value))


def _is_type(value: Any) -> bool:
    names = cast("list[Any]", value) if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in TYPES for name in names)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(cast("list[Any]", value))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_named_names(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_names, cast("Schema", value).values()))


def _is_positive(value: Any) -> bool:
    return _is_number(value) and value > 0


SHAPES: Final[dict[str, Callable[[Any], bool]]] = {
    "type": _is_type,
    "enum": _is_filled_list,
    "multipleOf": _is_positive,
    **dict.fromkeys(("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"), _is_number),
    **dict.fromkeys(
        ("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"),
        _is_count,
    ),
    **dict.fromkeys(("maxContains", "minContains"), _is_count),
    **dict.fromkeys(("pattern", "title", "description", "format", "$ref"), _is_text),
    **dict.fromkeys(("contentEncoding", "contentMediaType"), _is_text),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _is_flag),
    "required": _is_names,
    "examples": lambda value: isinstance(value, list),
    "dependentRequired": _is_named_names,
    **dict.fromkeys(LISTS, _is_filled_list),
    **dict.fromkeys(NAMED, _is_object),
}
"""The keywords whose value has to have a shape; a strict reader refuses the schema without it."""
COUNTS: Final = frozenset(key for key, shape in SHAPES.items() if shape is _is_count)


def has_type(schema: Schema, name: str) -> bool:
    """Whether `type` names it, alone or in a list."""
    kind = schema.get("type")
    return kind == name or (isinstance(kind, list) and name in kind)


def types_of(schema: Schema) -> tuple[str, ...]:
    """The names under `type`; all of them where it has none."""
    kind = schema.get("type", list(TYPES))
    return tuple(cast("list[str]", kind)) if isinstance(kind, list) else (str(kind),)


def is_of_type(value: Any, name: str) -> bool:
    """Whether a JSON value is of a type of JSON Schema; 1.0 is an integer."""
    if isinstance(value, bool) or value is None:
        return name == ("null" if value is None else "boolean")
    if isinstance(value, int):
        return name in {"integer", "number"}
    if isinstance(value, float):
        return name == "number" or (name == "integer" and value.is_integer())
    kinds: dict[object, str] = {str: "string", dict: "object", list: "array"}
    return name == kinds.get(cast("object", type(value)))


@lru_cache(maxsize=1024)
def is_python_pattern(pattern: str) -> bool:
    """Whether Python's `re` compiles it, which is what OpenAI checks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError, ValueError):
        return False
    return True
