"""JSON Schema's keywords: which hold schemas, how their values are formed, visiting subschemas.

Knows no provider. Source: JSON Schema draft 2020-12, core and validation.
"""

from __future__ import annotations

import math
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from desktop.base.translatable import translatable
from desktop.values.json_schema import JSON_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.models.formats.declaration import Report
    from desktop.values.tool_types import JsonPath

JsonSchema: TypeAlias = dict[str, Any]

NEVER_SCHEMA: Final[JsonSchema] = {"not": {}}
"""The schema that no value satisfies: `false` as an object."""

SCHEMA_KEYWORDS: Final = frozenset(
    {"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"}
)
SCHEMA_LIST_KEYWORDS: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
SCHEMA_MAP_KEYWORDS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
SAME_VALUE_KEYWORDS: Final = frozenset(
    {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas"}
)
"""Keywords whose schemas apply to the value itself, not to a part of it."""

TEXT_KEYWORDS: Final = frozenset({"title", "description"})
ANNOTATIONS: Final = TEXT_KEYWORDS | {
    "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "format", "$comment",
    "contentEncoding", "contentMediaType", "discriminator", "markdownDescription",
}  # fmt: skip
"""Keywords without effect on which values are valid (`format` is an annotation in 2020-12)."""
BOOKKEEPING: Final = frozenset(
    {"$schema", "$id", "$comment", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"}
)
"""Refused by Gemini, and useless once references are resolved."""
DEFINITIONS: Final = frozenset({"$defs", "definitions"})
UNSUPPORTED: Final = frozenset(
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
    return bool(names) and all(isinstance(name, str) and name in JSON_TYPES for name in names)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(cast("list[Any]", value))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_named_names(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_names, cast("JsonSchema", value).values()))


def _is_positive(value: Any) -> bool:
    return _is_number(value) and value > 0


KEYWORD_SHAPES: Final[dict[str, Callable[[Any], bool]]] = {
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
    **dict.fromkeys(SCHEMA_LIST_KEYWORDS, _is_filled_list),
    **dict.fromkeys(SCHEMA_MAP_KEYWORDS, _is_object),
}
"""Whether a keyword's value is well-formed; a strict reader refuses the schema otherwise."""
COUNT_KEYWORDS: Final = frozenset(
    key for key, shape in KEYWORD_SHAPES.items() if shape is _is_count
)


def has_type(schema: JsonSchema, name: str) -> bool:
    """Whether `type` is `name`, or a list with it."""
    kind = schema.get("type")
    return kind == name or (isinstance(kind, list) and name in kind)


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


_MAX_PATTERN: Final = 10_000


@lru_cache(maxsize=1024)
def is_python_pattern(pattern: str) -> bool:
    """Whether Python's `re` compiles it, which is what OpenAI checks."""
    if len(pattern) > _MAX_PATTERN:
        return False  # `re` would read it for a second and more
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError, ValueError):
        return False
    return True


class SchemaVisitor(Protocol):
    """Returns the new form of a subschema that was found under `keyword`."""

    def __call__(self, child: Any, path: JsonPath, keyword: str) -> JsonSchema: ...


def map_children(
    node: JsonSchema, path: JsonPath, visit: SchemaVisitor, report: Report
) -> JsonSchema:
    """A new `node` with each subschema replaced by what `visit` returns for it.

    A subschema may become looser. Under `not`, `if`, `oneOf` and `contains` that would make the
    whole stricter, so these are dropped or loosened, too.

    `node` must be well-shaped: lists where lists belong, objects where objects belong.
    """
    out: JsonSchema = {}
    looser: set[str] = set()
    for keyword, value in node.items():
        before = report.loosened
        out[keyword] = _visit_keyword(keyword, value, (*path, keyword), visit)
        if report.loosened > before:
            looser.add(keyword)
    if looser:
        _drop_stricter(out, looser, path, report)
    return out


def _visit_keyword(keyword: str, value: Any, path: JsonPath, visit: SchemaVisitor) -> Any:
    if keyword in SCHEMA_KEYWORDS:
        if keyword == "additionalProperties" and isinstance(value, bool):
            return value
        return visit(value, path, keyword)
    if keyword in SCHEMA_LIST_KEYWORDS:
        each = enumerate(cast("list[Any]", value))
        return [visit(child, (*path, place), keyword) for place, child in each]
    if keyword in SCHEMA_MAP_KEYWORDS:
        named = cast("dict[str, Any]", value).items()
        return {name: visit(child, (*path, name), keyword) for name, child in named}
    return value


def _drop_stricter(out: JsonSchema, looser: set[str], path: JsonPath, report: Report) -> None:
    if "not" in looser:
        del out["not"]
        report.add(
            "loosened",
            (*path, "not"),
            translatable("'not' was removed because its content was relaxed."),
        )
    if "if" in looser:
        for keyword in ("if", "then", "else"):
            out.pop(keyword, None)
        report.add(
            "loosened",
            (*path, "if"),
            translatable("The condition was removed because it was relaxed."),
        )
    if "oneOf" in looser:
        branches = out.pop("oneOf")
        out.setdefault("anyOf", branches)
        report.add(
            "loosened",
            (*path, "oneOf"),
            translatable("'oneOf' was replaced by 'anyOf' or removed."),
        )
    if "contains" in looser and out.pop("maxContains", None) is not None:
        report.add("loosened", (*path, "maxContains"), translatable("'maxContains' was removed."))


_MAX_NOTE: Final = 300


def append_description(schema: JsonSchema, words: str) -> None:
    """Add a note, shortened if it is long, to the description of `schema`."""
    note = words if len(words) <= _MAX_NOTE else words[: _MAX_NOTE - 1] + "…"
    before = schema.get("description")
    schema["description"] = f"{before} ({note})" if before else note
