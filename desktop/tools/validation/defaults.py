"""Finds what a schema says a server takes for a property that is left out of a call.

Zod and others write every property that has a default as required, too: their schemas describe the
value once the defaults are in it. Only finds: whether a default fits is for the validator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.values.json_schema import list_of, object_of, resolve_ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.values.tool_types import JsonObject

NO_DEFAULT: Final[Any] = object()
_MAX_PARTS: Final = 64
"""Schemas that one is made of, beyond which no further ones are looked at."""


def property_schemas(root: Any, schemas: Iterable[Any], name: str) -> list[JsonObject]:
    """All that some schemas, which apply to one object, say about its property `name`.

    Args:
        root: the whole schema, where references start.
        schemas: the nearest first.
        name: of the property.
    """
    found = [
        object_of(object_of(part.get("properties")).get(name))
        for schema in schemas
        for part in _parts(root, schema)
    ]
    return [each for each in found if each]


def find_default(root: Any, schemas: Iterable[JsonObject]) -> Any:
    """The default that schemas of one value name, that of the first; else `NO_DEFAULT`."""
    named = (
        part["default"] for schema in schemas for part in _parts(root, schema) if "default" in part
    )
    return next(named, NO_DEFAULT)


def _parts(root: Any, schema: Any) -> Iterator[JsonObject]:
    """A schema and those it includes for the same value, by `$ref` and `allOf`."""
    waiting, seen = [schema], set[int]()
    while waiting and len(seen) < _MAX_PARTS:
        here = object_of(waiting.pop())
        if not here or id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        waiting += reversed(list_of(here.get("allOf"))[:_MAX_PARTS])
        if "$ref" in here:
            waiting.append(resolve_ref(object_of(root), here["$ref"]))
