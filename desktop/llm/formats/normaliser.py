"""Makes any JSON at all a sound schema of draft 2020-12 that all providers can start from.

Bounded in nodes and depth, and never stricter than what it is given: each value that fits the
server's schema fits the result. The server's own object is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from desktop.llm.formats.children import map_children
from desktop.llm.formats.circles import without_circles
from desktop.llm.formats.conjunction import conjoin
from desktop.llm.formats.keywords import NEVER, SAME_VALUE, Schema
from desktop.llm.formats.references import follow
from desktop.llm.formats.report import Change, Path, Report
from desktop.llm.formats.shapes import well_shaped
from desktop.llm.formats.tidying import tidied
from desktop.llm.formats.top_level import as_object
from desktop.translatable import translatable

MOST_NODES: Final = 20_000
"""Schemas inside one schema that are visited; the largest real one has some hundreds."""
MOST_INLINED: Final = 2_000
"""Schemas that come from references; from there on a reference stays one, which costs nothing."""
DEEPEST: Final = 64
"""Levels of schemas in schemas; the deepest real one has 6. Below it, anything goes."""
_OLD_DRAFT: Final = re.compile(r"draft-0[3-7]")


@dataclass(frozen=True, slots=True)
class Normalised:
    """The schema to start from and what was changed; `refusal` says why there is none.

    `visited` counts the schemas that were looked at, which is what it cost.
    """

    schema: Schema
    changes: tuple[Change, ...]
    visited: int
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the normaliser is: `active` targets are being inlined, `same` without going deeper."""

    path: Path
    base: Schema
    depth: int = 0
    active: frozenset[int] = frozenset()
    same: frozenset[int] = frozenset()


class _TooLargeError(Exception):
    """The schema has more nodes than are looked at."""


def process_json_schema(schema: Any) -> Normalised:
    """A normalised deep copy of an `inputSchema`, with a report of every change.

    What comes out has `type: object` and `properties`, is valid draft 2020-12, has no reference
    but to its own `$defs` (recursion only) and no combinator at the top. Never raises.
    """
    return _Normaliser(schema).run()


class _Normaliser:
    def __init__(self, schema: Any) -> None:
        self._given = schema
        self._root: Schema = dict(cast("Any", schema)) if isinstance(schema, Mapping) else {}
        self._old = bool(_OLD_DRAFT.search(str(self._root.get("$schema", ""))[:200]))
        self._report = Report()
        self._nodes = self._inlined = 0
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, Any, _Place]] = []

    def run(self) -> Normalised:
        if not isinstance(self._given, Mapping):
            self._report.add(
                "added", (), translatable("The schema is not an object: an empty one is sent.")
            )
        try:
            whole = frozenset({id(self._root)})
            top = self._visit(self._root, _Place((), self._root, active=whole, same=whole))
            definitions = self._definitions()
        except _TooLargeError:
            words = translatable("its schema has more than {most:,} parts", most=MOST_NODES)
            return Normalised({}, tuple(self._report.changes), self._nodes, words)
        out = as_object(top, self._report)
        if definitions:
            out["$defs"] = without_circles(definitions, self._report)
        return Normalised(out, tuple(self._report.changes), self._nodes)

    def _definitions(self) -> Schema:
        made: Schema = {}
        while self._waiting:
            name, target, place = self._waiting.pop()
            inside = frozenset({id(target)})
            made[name] = self._visit(target, replace(place, depth=1, active=inside, same=inside))
        return made

    def _visit(self, node: Any, place: _Place) -> Schema:
        self._nodes += 1
        self._inlined += len(place.active) > 1
        if self._nodes > MOST_NODES:
            raise _TooLargeError
        if isinstance(node, bool):
            return {} if node else dict(NEVER)
        if not isinstance(node, dict):
            self._report.add(
                "loosened", place.path, translatable("This is not a schema: anything may be here.")
            )
            return {}
        if place.depth > DEEPEST:
            self._report.add(
                "loosened", place.path, translatable("Nested too deeply: anything may be here.")
            )
            return {}
        schema = cast("Schema", node)
        if place.depth and isinstance(schema.get("$id"), str) and schema["$id"][:1] != "#":
            place = replace(place, base=schema)
        if "$ref" in schema:
            return self._reference(schema, place)
        return self._plain(schema, place)

    def _plain(self, node: Schema, place: _Place) -> Schema:
        shaped = well_shaped(node, place.path, self._report)

        def visit(child: Any, path: Path, keyword: str) -> Schema:
            same = place.same if keyword in SAME_VALUE else frozenset[int]()
            return self._visit(child, replace(place, path=path, depth=place.depth + 1, same=same))

        mapped = map_children(shaped, place.path, visit, self._report)
        return tidied(mapped, place.path, self._report)

    def _reference(self, node: Schema, place: _Place) -> Schema:
        here = (*place.path, "$ref")
        rest = {key: value for key, value in node.items() if key != "$ref"}
        if self._old:
            # Before 2019-09 whatever stood next to a reference was ignored.
            rest = {key: rest[key] for key in ("title", "description", "default") if key in rest}
        siblings = self._plain(rest, place)
        reference = node["$ref"]
        target = follow(place.base, reference) if isinstance(reference, str) else None
        if target is None or id(target) in place.same:
            words = translatable(
                "The reference {reference} leads nowhere here: anything may be here.",
                reference=f"{reference!r:.80}",
            )
            self._report.add("loosened", here, words)
            return siblings
        if id(target) in place.active or self._inlined >= MOST_INLINED:
            return {**siblings, "$ref": self._kept(target, str(reference), place)}
        inside = replace(
            place,
            depth=place.depth + 1,
            active=place.active | {id(target)},
            same=place.same | {id(target)},
        )
        self._report.add(
            "moved", here, translatable("The reference is replaced by what it refers to.")
        )
        return conjoin(siblings, self._visit(target, inside), place.path, self._report)

    def _kept(self, target: Any, reference: str, place: _Place) -> str:
        """The reference to a target that is kept under `$defs`, which is made later."""
        name = self._names.get(id(target))
        if name is None:
            wanted = re.sub(r"[^A-Za-z0-9_.-]", "_", reference.rpartition("/")[2])[:60].strip("#_")
            name = wanted or "root"
            if name in self._names.values():
                name = f"{name}_{len(self._names)}"
            self._names[id(target)] = name
            self._waiting.append((name, target, place))
        return f"#/$defs/{name}"
