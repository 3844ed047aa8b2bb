"""Draws values from a schema, roughly: most fit it, some do not, all are what a form must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from random import Random

_TEXTS: Final = ("", "text", "a\nb", "\u00a0中😀", "1", "null", "\ud800", "x" * 300)
_NUMBERS: Final = (0, -1, 1.0, 0.1, 2**63, 1e300, 7)
_DEEP: Final[tuple[Any, ...]] = ([None, {"a": [1.5]}], {"k": {"": False}})
_ANY: Final[tuple[Any, ...]] = (None, True, 1, 1.0, "1", [], {}, *_DEEP)
_DEEPEST: Final = 5


def draw(schema: Any, random: Random, root: Any = None, depth: int = 0) -> Any:
    """A value for `schema`, whose references start at `root`."""
    root = schema if root is None else root
    if not isinstance(schema, dict) or depth > _DEEPEST or random.random() < 0.05:
        return random.choice(_ANY)
    part = cast("dict[str, Any]", schema)
    for key in ("oneOf", "anyOf", "allOf"):
        if isinstance(part.get(key), list):
            chosen: Any = draw(random.choice(part[key]), random, root, depth + 1)
            rest = {name: each for name, each in part.items() if name != key}
            if not isinstance(chosen, dict) or "properties" not in rest:
                return cast("Any", chosen)
            return {**draw_object(rest, random, root, depth), **cast("dict[str, Any]", chosen)}
    if isinstance(part.get("$ref"), str):
        return draw(_target(part["$ref"], root), random, root, depth + 1)
    if "const" in part:
        return part["const"]
    if isinstance(part.get("enum"), list):
        return random.choice(part["enum"])
    return _of_type(part, random, root, depth)


def _of_type(schema: dict[str, Any], random: Random, root: Any, depth: int) -> Any:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = random.choice(cast("list[Any]", kind))
    if kind == "array" or "prefixItems" in schema:
        return draw_list(schema, random, root, depth)
    if kind == "object" or "properties" in schema:
        return draw_object(schema, random, root, depth)
    plain: dict[str, tuple[Any, ...]] = {
        "string": _TEXTS,
        "integer": _NUMBERS,
        "number": _NUMBERS,
        "boolean": (True, False),
    }
    return random.choice(plain.get(str(kind), _ANY))


def draw_list(schema: dict[str, Any], random: Random, root: Any, depth: int) -> list[Any]:
    items = schema.get("items")
    first = cast("list[Any]", items if isinstance(items, list) else schema.get("prefixItems", []))
    drawn = [draw(each, random, root, depth + 1) for each in first[: random.randint(0, 3)]]
    if len(drawn) < len(first):
        return drawn
    return drawn + [draw(items, random, root, depth + 1) for _ in range(random.randint(0, 3))]


def draw_object(schema: dict[str, Any], random: Random, root: Any, depth: int) -> dict[str, Any]:
    properties = cast("dict[str, Any]", schema.get("properties") or {})
    found = {
        name: draw(each, random, root, depth + 1)
        for name, each in properties.items()
        if random.random() < 0.6
    }
    for _ in range(random.randint(0, 2)):
        free = schema.get("additionalProperties")
        found[random.choice(("s1", "n2", "free", "", "a b"))] = draw(free, random, root, depth + 1)
    return found


def _target(reference: str, root: Any) -> Any:
    here = root
    for part in reference.removeprefix("#").split("/")[1:]:
        here = cast("dict[str, Any]", here).get(part) if isinstance(here, dict) else None
    return here
