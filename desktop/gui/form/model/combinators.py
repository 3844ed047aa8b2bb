"""What combines schemas: `$ref`, `allOf`, `anyOf`, `oneOf`, `if` and the `dependent…` keywords.

As far as drawing a form needs it: where two schemas limit the same thing, the narrower limit is
shown, and the validation still judges by the schema as it is. Never fetches a reference; one that
leads nowhere or in a circle stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote

from msgspec import Struct

from desktop.gui.form.model.json_text import write_json
from desktop.values.json_schema import MAX_REF_HOPS, list_of, object_of, resolve_ref, same_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.values.tool_types import JsonObject


def names_of(value: Any) -> list[str]:
    """The texts in a list, each once; everything else is passed over."""
    return list(dict.fromkeys(each for each in list_of(value) if isinstance(each, str)))


_MAX_NAME_LENGTH: Final = 60


class References:
    """Follows the references of one schema; `root` is the whole of it."""

    def __init__(self, root: JsonObject) -> None:
        self.root = root

    def resolved(self, schema: JsonObject) -> JsonObject:
        """The schema with what it points to; what stands beside `$ref` goes before it.

        Where the reference leads nowhere or in a circle, `$ref` is still there.
        """
        for _ in range(MAX_REF_HOPS):
            target = resolve_ref(self.root, schema.get("$ref")) if "$ref" in schema else None
            if not isinstance(target, Mapping):
                return schema
            found = cast("JsonObject", target)
            schema = {**found, **{key: each for key, each in schema.items() if key != "$ref"}}
        return schema


def reference_name(schema: JsonObject) -> str:
    """The last word of a reference, which authors choose with care: `Circle`."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or "/" not in reference:
        return ""
    return unquote(reference.rsplit("/", 1)[-1])[:_MAX_NAME_LENGTH]


_NARROWER: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min,
}  # fmt: skip
_CONDITION: Final = ("if", "then", "else")
MAX_PARTS: Final = 64


class ContradictionError(Exception):
    """No value can be of both shapes, or none that a field could show."""


def merge_all_of(parts: list[JsonObject]) -> JsonObject:
    """One schema for all `parts`; conditions stay apart, under `allOf`.

    Raises:
        ContradictionError: two parts ask for different types or for different values.
    """
    if len(parts) > MAX_PARTS:
        raise ContradictionError
    whole: dict[str, Any] = {}
    conditions: list[Any] = []
    for part in parts:
        condition = {key: part[key] for key in _CONDITION if key in part}
        if "if" in condition:
            conditions.append(condition)
        conditions.extend(list_of(part.get("allOf")))
        for key, value in part.items():
            if key not in _CONDITION and key != "allOf":
                _absorb(whole, key, value)
    return {**whole, "allOf": conditions} if conditions else whole


def is_condition(part: Any) -> bool:
    """Whether a part of `allOf` says nothing but what holds under a condition."""
    return "if" in object_of(part) and object_of(part).keys() <= set(_CONDITION)


def _absorb(whole: dict[str, Any], key: str, value: Any) -> None:
    if key not in whole:
        whole[key] = value
    elif key in _UNITE:
        whole[key] = _UNITE[key](whole[key], value)
    elif key in _NARROWER:
        whole[key] = _narrower(key, whole[key], value)


def _narrower(key: str, left: Any, right: Any) -> Any:
    are_numbers = all(isinstance(limit, int | float) for limit in (left, right))
    return _NARROWER[key](left, right) if are_numbers else left


def _properties(left: Any, right: Any) -> JsonObject:
    """A property that both describe has to fit both."""
    united = dict(object_of(left))
    for name, schema in object_of(right).items():
        united[name] = _both(united[name], schema) if name in united else schema
    return united


def _both(left: Any, right: Any) -> Any:
    if left == right or not object_of(left):
        return right
    return left if not object_of(right) else {"allOf": [left, right]}


def _types(left: Any, right: Any) -> Any:
    ours = names_of(left) or [left]
    theirs = names_of(right) or [right]
    if "number" in ours and "integer" in theirs:
        ours = [*ours, "integer"]
    if "number" in theirs and "integer" in ours:
        theirs = [*theirs, "integer"]
    common = [kind for kind in ours if kind in theirs]
    if "integer" in common and "number" in common:
        common.remove("integer")
    if not common:
        raise ContradictionError
    return common[0] if len(common) == 1 else common


def _values(left: Any, right: Any) -> Any:
    theirs = list_of(right)
    common = [each for each in list_of(left) if any(same_json(each, value) for value in theirs)]
    if not common:
        raise ContradictionError
    return common


def _constant(left: Any, right: Any) -> Any:
    if not same_json(left, right):
        raise ContradictionError
    return left


def _additional(left: Any, right: Any) -> Any:
    return False if left is False or right is False else _both(left, right)


_UNITE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "properties": _properties,
    "patternProperties": _properties,
    "dependentSchemas": _properties,
    "dependentRequired": lambda left, right: {**object_of(left), **object_of(right)},
    "$defs": lambda left, right: {**object_of(right), **object_of(left)},
    "required": lambda left, right: names_of([*list_of(left), *list_of(right)]),
    "type": _types,
    "enum": _values,
    "const": _constant,
    "items": _both,
    "additionalProperties": _additional,
}


_DEPENDENT = ("dependentSchemas", "dependentRequired", "dependencies")


def has_conditions(schema: JsonObject) -> bool:
    """Whether what an object looks like depends on its value."""
    return (
        any(key in schema for key in ("if", *_DEPENDENT))
        or any(is_condition(part) for part in list_of(schema.get("allOf")))
    )  # fmt: skip


def conditional_parts(
    schema: JsonObject, value: Any, problem: Callable[[Any, Any], object]
) -> Iterator[JsonObject]:
    """The schemas that join `schema` because of what `value` is now."""
    for part in [schema, *list_of(schema.get("allOf"))]:
        if "if" in object_of(part):
            holds = not problem(part["if"], value)
            yield object_of(part.get("then" if holds else "else"))
    present = object_of(value)
    for key in _DEPENDENT:
        for name, needed in object_of(schema.get(key)).items():
            if name in present:
                names = names_of(needed)
                yield {"required": names} if names else object_of(needed)


MAX_SHAPES: Final = 60
_OF_THE_WHOLE: Final = frozenset(
    {"title", "description", "default", "examples", "$schema", "$id", "$defs", "definitions"}
)
_HINTS: Final = frozenset({"required", "not", "title", "description", "$comment"})


class Shape(Struct, frozen=True):
    """One alternative, with what all of them share, and the name it was referred to by."""

    schema: JsonObject
    reference: str = ""


class Alternatives(Struct, frozen=True):
    """What was found: one schema that stands for all, or several shapes beside what they share."""

    schema: JsonObject
    has_null: bool = False
    shapes: tuple[Shape, ...] = ()


def read_alternatives(references: References, schema: JsonObject) -> Alternatives | None:
    """The alternatives of a schema; None where they cannot be told apart or are too many."""
    key = next((key for key in ("oneOf", "anyOf") if key in schema), "type")
    siblings = {name: value for name, value in schema.items() if name != key}
    if key == "type":
        shapes = [Shape({"type": kind}) for kind in names_of(schema["type"])]
        if any(shape.schema["type"] == "number" for shape in shapes):
            shapes = [shape for shape in shapes if shape.schema["type"] != "integer"]
    else:
        parts = [object_of(each) for each in list_of(schema[key]) if each is not False]
        shapes = [Shape(references.resolved(part), reference_name(part)) for part in parts]
    others = [shape for shape in shapes if not _is_null(shape.schema)]
    if not others or len(others) > MAX_SHAPES:
        return None
    return _of(siblings, others, has_null=len(others) < len(shapes))


def _of(siblings: JsonObject, shapes: list[Shape], *, has_null: bool) -> Alternatives | None:
    if all(shape.schema.keys() <= _HINTS for shape in shapes):
        return Alternatives(siblings, has_null)
    if "enum" in siblings or "const" in siblings:
        return Alternatives(siblings, has_null)
    if len(shapes) > 1 and all("const" in shape.schema for shape in shapes):
        return Alternatives(_choice(siblings, shapes), has_null)
    shared = {key: value for key, value in siblings.items() if key not in _OF_THE_WHOLE}
    possible: list[Shape] = []
    for shape in shapes:
        try:
            whole = merge_all_of([siblings if len(shapes) == 1 else shared, shape.schema])
        except ContradictionError:
            continue
        # A title of its own says more than the title of the whole.
        if all(whole != other.schema for other in possible):
            possible.append(Shape(whole, shape.reference))
    if not possible:
        return None
    if len(possible) == 1:
        whole = {key: each for key, each in siblings.items() if key in _OF_THE_WHOLE}
        return Alternatives({**possible[0].schema, **whole}, has_null)
    return Alternatives(siblings, has_null, tuple(possible))


def _choice(siblings: JsonObject, shapes: list[Shape]) -> JsonObject:
    values = [shape.schema["const"] for shape in shapes]
    titles = [
        str(shape.schema.get("title") or option_label(shape.schema["const"])) for shape in shapes
    ]
    return {**siblings, "enum": values, "enumNames": titles}


def option_label(value: Any) -> str:
    """A value as the words of a choice."""
    return value if isinstance(value, str) and value else write_json(value, None)


def _is_null(schema: JsonObject) -> bool:
    if schema.get("type") == "null":
        return True
    return schema.get("const", "") is None or schema.get("enum") == [None]
