"""The texts of a form about a field: its type, limits, placeholder and why it is written as JSON.

Reads the schema as data that may have any shape. Makes no widgets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from desktop.gui.form.model.field_spec import ABSENT, Kind
from desktop.gui.form.model.json_text import write_json
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from desktop.gui.form.model.field_spec import FieldSpec
    from desktop.values.tool_types import JsonObject

translate = QCoreApplication.translate

_SHORT: Final = 40
_MOST_NAMED: Final = 8


def type_label(spec: FieldSpec) -> str:
    """The kind of value in a word or two: `text`, `list of whole numbers`."""
    kinds = {
        "string": translate("FieldWording", "text"),
        "integer": translate("FieldWording", "whole number"),
        "number": translate("FieldWording", "number"),
        "boolean": translate("FieldWording", "true or false"),
        "enum": translate("FieldWording", "choice"),
        "const": translate("FieldWording", "fixed"),
        "array": translate("FieldWording", "list"),
        "object": translate("FieldWording", "object"),
        "union": translate("FieldWording", "one of several"),
        "json": translate("FieldWording", "JSON"),
    }
    words = kinds[spec.kind]
    if spec.kind == "array" and spec.prefix:
        words = translate("FieldWording", "tuple")
    elif spec.kind in {"array", "object"} and spec.item_kind and not spec.properties:
        is_list = spec.kind == "array"
        listed = translate("FieldWording", "list: {type}")
        mapped = translate("FieldWording", "names and values: {type}")
        words = (listed if is_list else mapped).format(type=kinds[spec.item_kind])
    if spec.kind == "json" and (names := _type_names(spec.schema)):
        either = translate("FieldWording", " or ").join(kinds[name] for name in names)
        words = translate("FieldWording", "JSON: {types}").format(types=either)
    form = spec.schema.get("format")
    if isinstance(form, str) and spec.kind in {"string", "integer", "number"}:
        words = f"{words} ({form:.24})"
    return (
        translate("FieldWording", "{type} or null").format(type=words) if spec.nullable else words
    )


def branch_titles(spec: FieldSpec) -> list[str]:
    """The shapes of a union in a few words each, no two the same."""
    titles: list[str] = []
    for number, branch in enumerate(spec.branches, 1):
        words = _branch_title(branch) or type_label(replace(branch, nullable=False))
        titles.append(words if words not in titles else f"{words} {number}")
    return titles


def _branch_title(spec: FieldSpec) -> str:
    """What the author calls a shape: its title, constant, definition, fields or first words."""
    title = spec.schema.get("title")
    if isinstance(title, str) and title.strip():
        return title.strip()[:_SHORT]
    for value in spec.properties.values():
        if (constant := _constant(value)) is not ABSENT:
            return value_label(constant)
    if spec.kind in {"const", "enum"}:
        values = [option.value for option in spec.options] or [spec.schema.get("const")]
        return value_label(values[0]) if len(values) == 1 else _joined(values)
    if spec.reference:
        return spec.reference
    if spec.kind == "object" and spec.properties:
        needed = [name for name in spec.properties if name in spec.required_names]
        return _joined(needed or list(spec.properties))
    if spec.kind in {"object", "union", "json"} and spec.description:
        return value_label(spec.description.partition("\n")[0].rstrip("."))
    return ""


def _constant(schema: Any) -> Any:
    """The one value that a part of a shape may have; `ABSENT` where it may have several."""
    members = object_of(schema)
    if "const" in members:
        return members["const"]
    values = list_of(members.get("enum"))
    return values[0] if len(values) == 1 else ABSENT


def _joined(values: list[Any]) -> str:
    """As many of the values as have room in a title."""
    return value_label(", ".join(str(value) for value in values[:_MOST_NAMED]))


def fallback_label(spec: FieldSpec) -> str:
    """Why a place has no fields of its own, in a sentence; empty where nothing needs saying."""
    words = {
        "contradiction": translate(
            "FieldWording", "The schema contradicts itself: enter it as JSON."
        ),
        "reference": translate(
            "FieldWording", "The schema refers to a missing definition: enter it as JSON."
        ),
        "impossible": translate("FieldWording", "The schema allows no value here."),
        "size": translate("FieldWording", "Too large for a form: enter it as JSON."),
    }
    return words.get(spec.fallback, "")


def _type_names(schema: JsonObject) -> list[Kind]:
    """The types that a field without a shape of its own may have, where the schema lists them."""
    parts = next((schema[key] for key in ("anyOf", "oneOf") if key in schema), [schema])
    found: list[Any] = []
    for part in cast("list[Any]", parts) if isinstance(parts, list) else []:
        kind = cast("JsonObject", part).get("type") if isinstance(part, Mapping) else None
        found.extend(cast("list[Any]", kind) if isinstance(kind, list) else [kind])
    named = [kind for kind in dict.fromkeys(map(str, found)) if kind in get_args(Kind)]
    return cast("list[Kind]", named)


def limits_label(spec: FieldSpec) -> str:
    """The limits of the schema, in small words: `at least 1 · at most 100`."""
    schema = spec.schema
    known = (
        ("minimum", translate("FieldWording", "at least {n}")),
        ("exclusiveMinimum", translate("FieldWording", "more than {n}")),
        ("maximum", translate("FieldWording", "at most {n}")),
        ("exclusiveMaximum", translate("FieldWording", "less than {n}")),
        ("multipleOf", translate("FieldWording", "in steps of {n}")),
    )
    said = [
        words.format(n=value_label(schema[key])) for key, words in known if _is_number(schema, key)
    ]
    said += _size_labels(schema)
    if schema.get("uniqueItems") is True:
        said.append(translate("FieldWording", "no duplicates"))
    if isinstance(pattern := schema.get("pattern"), str):
        said.append(
            translate("FieldWording", "pattern {pattern}").format(pattern=value_label(pattern))
        )
    return " · ".join(said)


def _size_labels(schema: JsonObject) -> list[str]:
    known = (
        (
            "minLength",
            translate("FieldWording", "at least 1 character"),
            translate("FieldWording", "at least {n} characters"),
        ),
        (
            "maxLength",
            translate("FieldWording", "at most 1 character"),
            translate("FieldWording", "at most {n} characters"),
        ),
        (
            "minItems",
            translate("FieldWording", "at least 1 item"),
            translate("FieldWording", "at least {n} items"),
        ),
        (
            "maxItems",
            translate("FieldWording", "at most 1 item"),
            translate("FieldWording", "at most {n} items"),
        ),
    )
    return [
        one if schema[key] == 1 else many.format(n=value_label(schema[key]))
        for key, one, many in known
        if _is_number(schema, key)
    ]


def placeholder_text(spec: FieldSpec) -> str:
    """What stands in an empty field: never a value that looks as if it would be sent."""
    if spec.default is not ABSENT and spec.default is not None:
        return translate("FieldWording", "default: {value}").format(value=value_label(spec.default))
    if spec.example is not ABSENT:
        return translate("FieldWording", "for example {value}").format(
            value=value_label(spec.example)
        )
    if spec.kind in {"integer", "number"}:
        return type_label(spec)
    if spec.kind == "json" and spec.schema.get("type") == "object":
        return '{ "name": "value" }'
    return translate("FieldWording", '"text", 12, true, [ ] or { }') if spec.kind == "json" else ""


def value_label(value: Any) -> str:
    """A value in a few characters."""
    text = value if isinstance(value, str) and value else write_json(value, None)
    line = " ".join(text.split()) or text
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}…"


def _is_number(schema: Any, key: str) -> bool:
    value = schema.get(key)
    return isinstance(value, int | float) and not isinstance(value, bool)
