"""Which parts of an object's schema hold for its value: `if` and the `dependent…` keywords.

Imports no Qt. What holds is judged by whoever is passed in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.gui.form.json_shape import list_of, names_of, object_of
from desktop.gui.form.merging import is_condition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.tool_types import JsonObject

_DEPENDENT = ("dependentSchemas", "dependentRequired", "dependencies")


def has_conditions(schema: JsonObject) -> bool:
    """Whether what an object looks like depends on its value."""
    return (
        any(key in schema for key in ("if", *_DEPENDENT))
        or any(is_condition(part) for part in list_of(schema.get("allOf")))
    )  # fmt: skip


def parts_in_force(
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
