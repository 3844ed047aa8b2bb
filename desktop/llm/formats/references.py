"""Follows `$ref` inside one schema. Never fetches, never leaves the schema, never loops.

Source: RFC 6901 for pointers; JSON Schema 2020-12 core, section 8.2.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema

_LONGEST_CHAIN: Final = 50
"""References that lead to references; no real schema has more than two."""


def resolve(base: Schema, reference: str) -> Any:
    """What a reference of a schema document `base` points to, or None where it leads nowhere."""
    own = base.get("$id")
    if isinstance(own, str) and own and reference.startswith(own):
        reference = reference[len(own) :] or "#"
    if reference in {"#", "#/"}:
        return base
    if not reference.startswith("#/"):
        return None
    here: Any = base
    for part in reference[2:].split("/"):
        here = _step(here, unquote(part).replace("~1", "/").replace("~0", "~"))
        if here is None:
            return None
    return here


def follow(base: Schema, reference: str) -> Any:
    """Like `resolve`, through references that say nothing but a further reference.

    None where it leads nowhere or round in a circle.
    """
    seen = 0
    target = resolve(base, reference)
    while isinstance(target, dict) and set(cast("Schema", target)) == {"$ref"}:
        seen += 1
        further: Any = cast("Schema", target)["$ref"]
        if seen > _LONGEST_CHAIN or not isinstance(further, str):
            return None
        target = resolve(base, further)
    return cast("Any", target)


def _step(here: Any, part: str) -> Any:
    if isinstance(here, dict):
        return cast("Schema", here).get(part)
    if isinstance(here, list) and part.isascii() and part.isdigit() and len(part) < 9:
        items = cast("list[Any]", here)
        return items[int(part)] if int(part) < len(items) else None
    return None
