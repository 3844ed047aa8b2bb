"""Makes of a word on the command line the value that a property's schema asks for.

Where the schema allows text, it stays text; what fits nothing stays text too, and the validation
says why it does not fit. Must not validate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject

Schema: TypeAlias = "JsonObject"
_DEPTH = 16
"""References and alternatives followed below one property."""
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_NUMBER_LENGTH = 1000
_JSON_TYPES: dict[object, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def kinds(schema: object, root: Schema) -> set[str]:
    """The JSON types that a schema allows, as far as it says; empty where it says nothing."""
    return {kind for part in _parts(schema, root, _DEPTH) for kind in _own_kinds(part)}


def member(schema: object, root: Schema, name: str) -> object:
    """The schema of one property of an object schema; None where it is not declared."""
    for part in _parts(schema, root, _DEPTH):
        properties = _mapping(part.get("properties"))
        if name in properties:
            return properties[name]
    return None


def items(schema: object, root: Schema) -> object:
    """The schema of an array's items; None where it is not declared."""
    found = (part["items"] for part in _parts(schema, root, _DEPTH) if "items" in part)
    return next(found, None)


def coerced(text: str, schema: object, root: Schema) -> Any:
    """`text` as a value that fits the schema's types."""
    allowed = kinds(schema, root)
    if not allowed or "string" in allowed:
        return text
    value = _parsed(text)
    kind = _JSON_TYPES.get(cast("object", type(value)), "")
    if kind in allowed or (kind == "integer" and "number" in allowed):
        return value
    if kind == "number" and "integer" in allowed:
        return int(value) if value.is_integer() else value
    if "array" in allowed:
        return [coerced(text, items(schema, root), root)]
    return text


def _parsed(text: str) -> Any:
    """A JSON value, or the text itself. Numbers as JSON writes them: no `0x10`, no `1_000`."""
    if text in {"true", "false", "null"}:
        return {"true": True, "false": False, "null": None}[text]
    if len(text) <= _NUMBER_LENGTH and _NUMBER.fullmatch(text):
        return json.loads(text)
    if text[:1] in {"[", "{"}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _parts(schema: object, root: Schema, depth: int) -> list[Schema]:
    """The schema and what it refers to or is made of, the nearest first."""
    here = _mapping(schema)
    if not here or depth <= 0:
        return []
    below: list[object] = []
    if isinstance(reference := here.get("$ref"), str):
        below.append(_target(reference, root))
    for key in ("allOf", "anyOf", "oneOf"):
        members: object = here.get(key)
        if isinstance(members, list):
            below += cast("list[object]", members)[:_DEPTH]
    return [here, *(part for one in below for part in _parts(one, root, depth // 2))]


def _target(reference: str, root: Schema) -> object:
    """What a local reference means; others are never fetched."""
    if not reference.startswith("#"):
        return None
    here: object = root
    for step in reference[1:].split("/")[1:]:
        here = _mapping(here).get(step.replace("~1", "/").replace("~0", "~"))
    return here


def _own_kinds(schema: Schema) -> set[str]:
    declared: object = schema.get("type")
    if isinstance(declared, str):
        return {declared}
    if isinstance(declared, list):
        return {str(kind) for kind in cast("list[object]", declared)}
    values: object = schema.get("enum", [schema["const"]] if "const" in schema else [])
    named = cast("list[object]", values) if isinstance(values, list) else []
    return {_JSON_TYPES.get(type(value), "") for value in named} - {""}


def _mapping(value: object) -> Schema:
    return cast("Schema", value) if isinstance(value, Mapping) else {}
