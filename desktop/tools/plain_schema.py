"""Sees at a glance that arguments fit a schema which asks for named values of simple kinds alone.

That is most calls, and the whole check takes tens of microseconds for them. Says "fits" or "look
closer", never "does not fit"; must not word anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_OBJECT: Final = frozenset(
    {"$schema", "type", "title", "description", "properties", "required", "additionalProperties"}
)
_VALUE: Final = frozenset({"type", "title", "description", "default", "examples"})
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def glance(schema: Any) -> Callable[[Any], bool] | None:
    """What tells of arguments that they fit for sure; None where the schema asks for more."""
    if not isinstance(schema, Mapping):
        return None
    rules = cast("Mapping[str, Any]", schema)
    if not _OBJECT.issuperset(rules) or rules.get("type") != "object" or _is_of_old_draft(rules):
        return None
    kinds = _kinds(rules.get("properties"))
    required = rules.get("required", [])
    if kinds is None or not isinstance(required, list):
        return None
    needed = cast("list[Any]", required)

    def fits(arguments: Any) -> bool:
        if type(arguments) is not dict:
            return False
        given = cast("dict[Any, Any]", arguments)
        return all(type(each) in kinds.get(name, ()) for name, each in given.items()) and all(
            name in given for name in needed
        )

    return fits


def _is_of_old_draft(rules: Mapping[str, Any]) -> bool:
    """Draft 3 says `required` otherwise."""
    return "draft-03" in str(rules.get("$schema", ""))


def _kinds(properties: Any) -> dict[str, tuple[type, ...]] | None:
    if not isinstance(properties, Mapping):
        return None
    found: dict[str, tuple[type, ...]] = {}
    for name, each in cast("Mapping[str, Any]", properties).items():
        if not isinstance(each, Mapping):
            return None
        rules = cast("Mapping[str, Any]", each)
        kind = rules.get("type")
        if not _VALUE.issuperset(rules) or not isinstance(kind, str) or kind not in _KINDS:
            return None
        found[name] = _KINDS[kind]
    return found
