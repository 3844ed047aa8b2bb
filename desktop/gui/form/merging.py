"""Puts schemas that hold together into one, as far as a form needs it.

For drawing alone: where two parts limit the same thing in two ways the narrower or the first is
shown, and the validation judges by the schema as it is. Imports no Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.gui.form.json_shape import list_of, names_of, object_of, same

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.tool_types import JsonObject

_NARROWER: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min,
}  # fmt: skip
_CONDITION: Final = ("if", "then", "else")
MOST_PARTS: Final = 64


class ContradictionError(Exception):
    """No value can be of both shapes, or none that a field could show."""


def merged(parts: list[JsonObject]) -> JsonObject:
    """One schema for all `parts`; conditions stay apart, under `allOf`.

    Raises:
        ContradictionError: two parts ask for different types or for different values.
    """
    if len(parts) > MOST_PARTS:
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


def _narrower(key: str, one: Any, other: Any) -> Any:
    are_numbers = all(isinstance(each, int | float) for each in (one, other))
    return _NARROWER[key](one, other) if are_numbers else one


def _properties(one: Any, other: Any) -> JsonObject:
    """A property that both describe has to fit both."""
    united = dict(object_of(one))
    for name, schema in object_of(other).items():
        united[name] = _both(united[name], schema) if name in united else schema
    return united


def _both(one: Any, other: Any) -> Any:
    if one == other or not object_of(one):
        return other
    return one if not object_of(other) else {"allOf": [one, other]}


def _types(one: Any, other: Any) -> Any:
    ours = names_of(one) or [one]
    theirs = names_of(other) or [other]
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


def _values(one: Any, other: Any) -> Any:
    theirs = list_of(other)
    common = [each for each in list_of(one) if any(same(each, value) for value in theirs)]
    if not common:
        raise ContradictionError
    return common


def _constant(one: Any, other: Any) -> Any:
    if not same(one, other):
        raise ContradictionError
    return one


def _additional(one: Any, other: Any) -> Any:
    return False if one is False or other is False else _both(one, other)


_UNITE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "properties": _properties,
    "patternProperties": _properties,
    "dependentSchemas": _properties,
    "dependentRequired": lambda one, other: {**object_of(one), **object_of(other)},
    "$defs": lambda one, other: {**object_of(other), **object_of(one)},
    "required": lambda one, other: names_of([*list_of(one), *list_of(other)]),
    "type": _types,
    "enum": _values,
    "const": _constant,
    "items": _both,
    "additionalProperties": _additional,
}
