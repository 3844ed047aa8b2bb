"""Reads one position of a JSON Schema at a time into a `FieldSpec`.

Local references are resolved, `allOf` is merged, "X or null" becomes a nullable X. What has no
plain shape becomes a JSON field: never an error. Imports no Qt; reads no values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote

from desktop.gui.form.fields import ABSENT, FieldSpec, Kind, Option
from desktop.gui.form.json_text import write_json

if TYPE_CHECKING:
    from desktop.tools.definition import JsonObject

_MOST_STEPS: Final = 32
_UNDRAWN: Final = ("anyOf", "oneOf", "$ref", "$dynamicRef", "allOf")
_SCALARS: Final = ("string", "integer", "number", "boolean")
_TYPELESS: Final[Mapping[str, Kind]] = {
    "properties": "object", "additionalProperties": "object", "patternProperties": "object",
    "items": "array", "minLength": "string", "maxLength": "string", "pattern": "string",
}  # fmt: skip


class SchemaReader:
    """Reads the schema of one tool; `root` is where its local references start."""

    def __init__(self, root: Any) -> None:
        self.root: JsonObject = _object(root)

    def read_root(self) -> FieldSpec:
        """The arguments as a whole: always an object, even where the schema does not say so."""
        schema, _ = self._simplified(self.root)
        return self._object_spec(FieldSpec(kind="object", schema=schema, required=True))

    def read(
        self, schema: Any, name: str, *, required: bool = False, in_list: bool = False
    ) -> FieldSpec:
        plain, nullable = self._simplified(_object(schema))
        kind = _kind(plain)
        spec = FieldSpec(name, kind, plain, required, in_list, nullable)
        if kind == "object":
            return self._object_spec(spec)
        if kind == "array":
            return replace(spec, item=plain["items"])
        if kind == "enum":
            options = _options(plain)
            kept = tuple(each for each in options if not (nullable and each.value is None))
            return replace(spec, options=kept)
        return spec

    def child(self, parent: FieldSpec, name: str) -> FieldSpec:
        """The named property of an object."""
        is_required = name in parent.required_names
        return self.read(parent.properties[name], name, required=is_required)

    def item(self, parent: FieldSpec) -> FieldSpec:
        """What one item of a list looks like."""
        return self.read(parent.item, "", required=True, in_list=True)

    def _object_spec(self, spec: FieldSpec) -> FieldSpec:
        schema = spec.schema
        properties = _object(schema.get("properties"))
        required = [each for each in _list(schema.get("required")) if isinstance(each, str)]
        names = sorted(properties, key=lambda name: name not in required)
        extra = schema.get("additionalProperties")
        return replace(
            spec,
            properties={name: properties[name] for name in names},
            required_names=frozenset(required),
            is_open=bool(extra) or "patternProperties" in schema,
        )

    def _simplified(self, schema: JsonObject) -> tuple[JsonObject, bool]:
        """The schema without indirections, and whether null is one of its types."""
        nullable = schema.get("nullable") is True
        for _ in range(_MOST_STEPS):
            before = schema
            if "$ref" in schema:
                schema = self._resolved(schema)
            elif "allOf" in schema:
                schema = self._merged(schema)
            elif "anyOf" in schema or "oneOf" in schema:
                schema, has_null = self._alternatives(schema)
                nullable = nullable or has_null
            elif isinstance(schema.get("type"), list):
                schema, has_null = _one_type(schema)
                nullable = nullable or has_null
            if schema is before:
                break
        return schema, nullable

    def _resolved(self, schema: JsonObject) -> JsonObject:
        target = self._target(schema["$ref"])
        if target is None:
            return schema
        return {**target, **{key: value for key, value in schema.items() if key != "$ref"}}

    def _target(self, reference: Any) -> JsonObject | None:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        here: Any = self.root
        for part in unquote(reference[1:]).split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(here, Mapping):
                here = cast("JsonObject", here).get(key)
            elif isinstance(here, list) and key.isdecimal() and len(key) < 6:
                items = cast("list[Any]", here)
                here = items[int(key)] if int(key) < len(items) else None
            else:
                return None
        return cast("JsonObject", here) if isinstance(here, Mapping) else None

    def _merged(self, schema: JsonObject) -> JsonObject:
        """`allOf` as one schema where the parts do not contradict each other."""
        merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
        for part in _list(schema["allOf"]):
            branch, _ = (part, False) if part is schema else self._without_reference(_object(part))
            for key, value in branch.items():
                if not _absorb(merged, key, value):
                    return schema
        return merged

    def _without_reference(self, schema: JsonObject) -> tuple[JsonObject, bool]:
        for _ in range(_MOST_STEPS):
            resolved = self._resolved(schema) if "$ref" in schema else schema
            if resolved is schema:
                break
            schema = resolved
        return schema, False

    def _alternatives(self, schema: JsonObject) -> tuple[JsonObject, bool]:
        key = "anyOf" if "anyOf" in schema else "oneOf"
        branches = [self._without_reference(_object(each))[0] for each in _list(schema[key])]
        others = [each for each in branches if not _is_null(each)]
        has_null = len(others) < len(branches)
        siblings = {name: value for name, value in schema.items() if name != key}
        if len(others) == 1:
            return {**others[0], **siblings}, has_null
        if others and all("const" in each for each in others):
            titles = [str(each.get("title", "")) or _label(each["const"]) for each in others]
            values = [each["const"] for each in others]
            return {**siblings, "enum": values, "enumNames": titles}, has_null
        return schema, has_null


def _absorb(merged: dict[str, Any], key: str, value: Any) -> bool:
    """Adds one keyword of an `allOf` part; False where that cannot be said in one schema."""
    if key == "properties":
        merged[key] = {**_object(merged.get(key)), **_object(value)}
    elif key == "required":
        merged[key] = [*_list(merged.get(key)), *_list(value)]
    elif key in {"title", "description", "$schema", "$id", "$comment", "$defs", "definitions"}:
        merged.setdefault(key, value)
    elif key in merged and merged[key] != value:
        return False
    else:
        merged[key] = value
    return True


def _kind(schema: JsonObject) -> Kind:
    if any(key in schema for key in _UNDRAWN) and not _object(schema.get("properties")):
        return "json"
    if "const" in schema:
        return "const"
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return "enum"
    kind = schema.get("type")
    if kind is None:
        kind = next((kind for key, kind in _TYPELESS.items() if key in schema), None)
    if kind in _SCALARS:
        return cast("Kind", kind)
    if kind == "object" and _object(schema.get("properties")):
        return "object"
    is_list = kind == "array" and "prefixItems" not in schema
    return "array" if is_list and bool(_object(schema.get("items"))) else "json"


def _one_type(schema: JsonObject) -> tuple[JsonObject, bool]:
    kinds = _list(schema["type"])
    others = [kind for kind in kinds if kind != "null"]
    if len(others) != 1:
        return schema, len(others) < len(kinds)
    return {**schema, "type": others[0]}, len(others) < len(kinds)


def _is_null(schema: JsonObject) -> bool:
    return schema.get("type") == "null" or schema.get("const", ABSENT) is None


def _options(schema: JsonObject) -> tuple[Option, ...]:
    names = _list(schema.get("enumNames") or schema.get("x-enumNames"))
    values = cast("list[Any]", schema["enum"])
    labels = [str(name) for name in names] if len(names) == len(values) else map(_label, values)
    return tuple(Option(label, value) for label, value in zip(labels, values, strict=True))


def _label(value: Any) -> str:
    return value if isinstance(value, str) and value else write_json(value, None)


def _object(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
