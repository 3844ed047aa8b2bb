"""Which kind of field a plain schema has: references, `allOf` and unions are dealt with before.

Imports no Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from desktop.gui.form.conditions import has_conditions
from desktop.gui.form.json_shape import list_of, object_of
from desktop.gui.form.merging import is_condition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.gui.form.fields import Kind
    from desktop.tool_types import JsonObject

_UNDRAWN: Final = ("anyOf", "oneOf", "$ref", "$dynamicRef")
_SCALARS: Final = ("string", "integer", "number", "boolean")
_TYPELESS: Final[Mapping[str, Kind]] = {
    "properties": "object", "additionalProperties": "object", "patternProperties": "object",
    "required": "object", "prefixItems": "array", "items": "array",
    "minLength": "string", "maxLength": "string", "pattern": "string", "contentEncoding": "string",
    "minimum": "number", "maximum": "number", "multipleOf": "number",
}  # fmt: skip


def kind_of(schema: JsonObject) -> Kind:
    """The kind of field; `json` for what has no plain shape."""
    is_left = any(not is_condition(part) for part in list_of(schema.get("allOf")))
    if (is_left or any(key in schema for key in _UNDRAWN)) and not schema.get("properties"):
        return "json"
    if "const" in schema or schema.get("type") == "null":
        return "const"
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return "enum"
    kind = schema.get("type")
    if kind is None:
        kind = next((kind for key, kind in _TYPELESS.items() if key in schema), None)
    if kind in _SCALARS:
        return cast("Kind", kind)
    if kind == "object":
        return "object" if _has_fields(schema) else "json"
    return "array" if kind == "array" and _has_items(schema) else "json"


def _has_fields(schema: JsonObject) -> bool:
    places = ("properties", "patternProperties", "additionalProperties")
    return any(object_of(schema.get(key)) for key in places) or (
        has_conditions(schema) or bool(list_of(schema.get("required")))
    )


def _has_items(schema: JsonObject) -> bool:
    items = schema.get("items")
    return any(bool(each) for each in (object_of(items), list_of(items), _prefix(schema)))


def _prefix(schema: JsonObject) -> object:
    return list_of(schema.get("prefixItems"))
