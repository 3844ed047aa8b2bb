"""Reads `anyOf`, `oneOf` and lists of types: as "X or null", as one choice, or as several shapes.

Imports no Qt; reads no values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from desktop.gui.form.json_shape import list_of, names_of, object_of
from desktop.gui.form.json_text import write_json
from desktop.gui.form.merging import ContradictionError, merged
from desktop.gui.form.references import name_of_reference

if TYPE_CHECKING:
    from desktop.gui.form.references import References
    from desktop.tool_types import JsonObject

MOST_SHAPES: Final = 60
_OF_THE_WHOLE: Final = frozenset(
    {"title", "description", "default", "examples", "$schema", "$id", "$defs", "definitions"}
)
_HINTS: Final = frozenset({"required", "not", "title", "description", "$comment"})


@dataclass(frozen=True, slots=True)
class Shape:
    """One alternative, with what all of them share, and the name it was referred to by."""

    schema: JsonObject
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Alternatives:
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
        shapes = [Shape(references.resolved(part), name_of_reference(part)) for part in parts]
    others = [shape for shape in shapes if not _is_null(shape.schema)]
    if not others or len(others) > MOST_SHAPES:
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
            whole = merged([siblings if len(shapes) == 1 else shared, shape.schema])
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
    titles = [str(shape.schema.get("title") or label_of(shape.schema["const"])) for shape in shapes]
    return {**siblings, "enum": values, "enumNames": titles}


def label_of(value: Any) -> str:
    """A value as the words of a choice."""
    return value if isinstance(value, str) and value else write_json(value, None)


def _is_null(schema: JsonObject) -> bool:
    if schema.get("type") == "null":
        return True
    return schema.get("const", "") is None or schema.get("enum") == [None]
