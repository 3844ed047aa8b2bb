"""Reads one position of a JSON Schema at a time into a `FieldSpec`.

Local references are resolved, `allOf` is merged, "X or null" becomes a nullable X. What has no
plain shape becomes a JSON field, never an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.gui.form.model.combinators import (
    MAX_SHAPES,
    ContradictionError,
    References,
    Shape,
    conditional_parts,
    has_conditions,
    is_condition,
    merge_all_of,
    names_of,
    option_label,
    read_alternatives,
    reference_name,
)
from desktop.gui.form.model.field_spec import (
    ABSENT,
    FallbackReason,
    FieldSpec,
    Option,
    can_represent,
)
from desktop.tools.validation.patterns import UncheckedPatternError, matches
from desktop.values.json_schema import list_of, object_of, same_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.form.model.field_spec import Kind
    from desktop.values.tool_types import JsonObject

MAX_UNION_DEPTH: Final = 6
"""Unions directly in one another; what is deeper is a JSON field."""
MAX_BRANCHES: Final = 300
"""Shapes of a union and of the unions in it."""
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


_MAX_STEPS: Final = 32
_MAX_ROUNDS: Final = 4
_OBJECT: Final[JsonObject] = {"type": "object"}


class _Plain(Struct, frozen=True):
    """A schema without indirections."""

    schema: JsonObject
    nullable: bool = False
    shapes: tuple[Shape, ...] = ()
    fallback: FallbackReason = ""


class SchemaReader:
    """Reads the schema of one tool; `root` is where its local references start."""

    def __init__(self, root: Any) -> None:
        self.root: JsonObject = object_of(root)
        self._references = References(self.root)
        self._union_depth = self._branches_read = 0

    def read_root(self) -> FieldSpec:
        """The arguments as a whole: always an object, even where the schema does not say so."""
        plain = self._plain(self.root)
        spec = FieldSpec(kind="object", schema=plain.schema, required=True, fallback=plain.fallback)
        if plain.shapes:
            parts = [Shape(_as_object(shape.schema), shape.reference) for shape in plain.shapes]
            union = self._union(replace(spec, kind="union"), parts)
            if len([each for each in union.branches if each.kind in {"object", "union"}]) > 1:
                return union
        return self._object(spec)

    def read(
        self, schema: Any, name: str, *, required: bool = False, in_list: bool = False
    ) -> FieldSpec:
        """One position, as the field called `name`."""
        part = object_of(schema)
        plain = self._plain(part)
        fallback: FallbackReason = "impossible" if schema is False else plain.fallback
        reference = reference_name(part)
        spec = FieldSpec(
            name, "json", plain.schema, required, in_list, plain.nullable,
            reference=reference, fallback=fallback,
        )  # fmt: skip
        if plain.shapes:
            return self._union(replace(spec, kind="union"), list(plain.shapes))
        return self._of_kind(replace(spec, kind=kind_of(plain.schema)))

    def child(self, parent: FieldSpec, name: str) -> FieldSpec:
        """The named property of an object."""
        is_required = name in parent.required_names
        return self.read(parent.properties[name], name, required=is_required)

    def item(self, parent: FieldSpec, index: int) -> FieldSpec:
        """What the item at `index` of a list looks like."""
        is_fixed = index < len(parent.prefix)
        schema = parent.prefix[index] if is_fixed else parent.item
        return self.read(schema, "", required=True, in_list=True)

    def entry(self, parent: FieldSpec, key: str) -> FieldSpec:
        """What the value under a key looks like that the schema does not name."""
        found = self.matching(parent, key)
        # What may not be there at all can still be shown.
        schema: Any = parent.additional if parent.additional is not False else None
        if found:
            schema = found[0] if len(found) == 1 else {"allOf": found}
        return self.read(schema, key, required=True, in_list=True)

    def matching(self, parent: FieldSpec, key: str) -> list[Any]:
        """The schemas whose `patternProperties` expression matches a key."""
        return [schema for pattern, schema in parent.patterns if _matches(pattern, key)]

    def with_conditions(
        self, spec: FieldSpec, value: Any, problem: Callable[[Any, Any], object]
    ) -> FieldSpec:
        """An object's spec with all that its value brings into it.

        Args:
            spec: as it was read, conditions not looked at.
            value: of the object, as it is now.
            problem: says what is wrong with a value by a part of the schema.
        """
        plain = _Plain(spec.schema)
        seen: list[JsonObject] = []
        for _ in range(_MAX_ROUNDS):
            found = [part for part in conditional_parts(plain.schema, value, problem) if part]
            if plain.shapes:
                fitting = [each.schema for each in plain.shapes if not problem(each.schema, value)]
                found += fitting[:1]
            parts = [part for part in found if part not in seen]
            if not parts:
                break
            seen += parts
            plain = self._plain({"allOf": [plain.schema, *parts]})
        return self._object(replace(spec, schema=plain.schema, fallback=plain.fallback))

    def _of_kind(self, spec: FieldSpec) -> FieldSpec:
        if spec.kind == "object":
            return self._object(spec)
        if spec.kind == "array":
            return self._array(spec)
        if spec.kind == "enum":
            options = _options(spec.schema)
            kept = tuple(each for each in options if not (spec.nullable and each.value is None))
            return replace(spec, options=kept)
        if spec.kind == "const" and "const" not in spec.schema:
            return replace(spec, schema={**spec.schema, "const": None})
        return spec

    def _object(self, spec: FieldSpec) -> FieldSpec:
        schema = spec.schema
        properties = object_of(schema.get("properties"))
        required = names_of(schema.get("required"))
        extra = schema.get("additionalProperties")
        patterns = tuple(object_of(schema.get("patternProperties")).items())[:MAX_SHAPES]
        whole = replace(
            spec,
            required_names=frozenset(
                name for name in required if not self._has_default(properties.get(name))
            ),
            patterns=patterns,
            additional=extra,
            is_open=bool(extra) or isinstance(extra, Mapping) or bool(patterns),
            has_conditions=has_conditions(schema),
        )
        unnamed = [] if extra is False else [each for each in required if each not in properties]
        named = {**properties, **{name: self._free(whole, name) for name in unnamed}}
        names = sorted(named, key=lambda name: name not in whole.required_names)
        return replace(
            whole,
            properties={name: named[name] for name in names},
            item_kind=self._kind(extra) if isinstance(extra, Mapping) and not patterns else None,
        )

    def _has_default(self, schema: Any) -> bool:
        """Whether the server has a value of the right kind for what is not sent."""
        part = object_of(schema)
        if not any(key in part for key in ("default", "$ref", "allOf")):
            return False
        plain = self._plain(part)
        default = plain.schema.get("default", ABSENT)
        kind = "union" if plain.shapes else kind_of(plain.schema)
        if default is ABSENT or kind == "const":  # a constant can be sent, as it is known
            return False
        if kind == "enum":
            return any(same_json(default, each) for each in list_of(plain.schema["enum"]))
        return can_represent(FieldSpec("", kind, plain.schema, nullable=plain.nullable), default)

    def _free(self, spec: FieldSpec, name: str) -> Any:
        """The schema of a property that is required but not described."""
        found = self.matching(spec, name)
        return found[0] if found else spec.additional

    def _array(self, spec: FieldSpec) -> FieldSpec:
        schema = spec.schema
        first: Any = schema.get("prefixItems")
        rest: Any = schema.get("items")
        if isinstance(rest, list):
            first, rest = list_of(rest), schema.get("additionalItems")
        prefix = tuple(list_of(first))
        item: Any = object_of(rest) if isinstance(rest, Mapping) else None
        kind = self._kind(item) if item and not prefix else None
        return replace(spec, item=item, prefix=prefix, item_kind=kind)

    def _union(self, spec: FieldSpec, shapes: list[Shape]) -> FieldSpec:
        """Shapes are read one level deep: what is inside is read when it is drawn."""
        read = [
            replace(self._branch(spec, shape.schema), reference=shape.reference) for shape in shapes
        ]
        base = {key: each for key, each in spec.schema.items() if key not in {"oneOf", "anyOf"}}
        has_base = bool(object_of(base.get("properties"))) or all(
            each.kind == "object" for each in read
        )
        shared = self._object(replace(spec, kind="object", schema=base, required=True, branches=()))
        return replace(spec, branches=tuple(read), base=shared if has_base else None)

    def _branch(self, spec: FieldSpec, schema: JsonObject) -> FieldSpec:
        """One shape; a union in a union is read at once, and two may name each other."""
        if self._union_depth >= MAX_UNION_DEPTH or self._branches_read >= MAX_BRANCHES:
            return FieldSpec(spec.name, "json", schema, True, spec.in_list, fallback="size")
        self._union_depth += 1
        self._branches_read += 1
        try:
            return self.read(schema, spec.name, required=True, in_list=spec.in_list)
        finally:
            self._union_depth -= 1
            if self._union_depth == 0:
                self._branches_read = 0

    def _kind(self, schema: Any) -> Kind:
        plain = self._plain(object_of(schema))
        return "union" if plain.shapes else kind_of(plain.schema)

    def _plain(self, schema: JsonObject) -> _Plain:
        nullable = schema.get("nullable") is True
        for _ in range(_MAX_STEPS):
            before = schema
            if "$ref" in schema:
                schema = self._references.resolved(schema)
                if "$ref" in schema:
                    return _Plain(schema, nullable, fallback="reference")
            elif any(not is_condition(part) for part in list_of(schema.get("allOf"))):
                try:
                    schema = self._merged(schema)
                except ContradictionError:
                    return _Plain(schema, nullable, fallback="contradiction")
            elif any(key in schema for key in ("anyOf", "oneOf")) or isinstance(
                schema.get("type"), list
            ):
                found = read_alternatives(self._references, schema)
                if found is None:
                    break
                nullable = nullable or found.has_null
                if found.shapes:
                    return _Plain(schema, nullable, found.shapes)
                schema = found.schema
            if schema is before:
                break
        return _Plain(schema, nullable)

    def _merged(self, schema: JsonObject) -> JsonObject:
        parts = list_of(schema["allOf"])
        own = {key: value for key, value in schema.items() if key != "allOf"}
        kept = [object_of(part) for part in parts if is_condition(part)]
        others = [object_of(part) for part in parts if not is_condition(part)]
        resolved = [self._references.resolved(part) for part in others]
        if any("$ref" in part for part in resolved):
            raise ContradictionError
        whole = merge_all_of([own, *resolved])
        conditions = [*list_of(whole.get("allOf")), *kept]
        return {**whole, "allOf": conditions} if conditions else whole


def _as_object(schema: JsonObject) -> JsonObject:
    try:
        return merge_all_of([_OBJECT, schema])
    except ContradictionError:
        return schema


def _matches(pattern: str, key: str) -> bool:
    try:
        return matches(pattern, key)
    except UncheckedPatternError:
        return False


def _options(schema: JsonObject) -> tuple[Option, ...]:
    names = list_of(schema.get("enumNames") or schema.get("x-enumNames"))
    values: list[Any] = schema["enum"]
    labels = (
        [str(name) for name in names] if len(names) == len(values) else map(option_label, values)
    )
    return tuple(Option(label, value) for label, value in zip(labels, values, strict=True))
