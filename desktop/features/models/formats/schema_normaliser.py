"""Turns any JSON into a valid draft 2020-12 schema that all providers can start from.

Bounded in nodes and depth, and never stricter than its input: each value that fits the server's
schema fits the result. Must not change the server's own object.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.models.formats.declaration import Change, Report
from desktop.features.models.formats.schema_cleaning import (
    clean_up_schema,
    cut_cycles,
    sanitize_schema,
)
from desktop.features.models.formats.schema_combining import (
    describe_alternatives,
    merge_all_of,
    merge_any_of,
)
from desktop.features.models.formats.schema_keywords import (
    NEVER_SCHEMA,
    SAME_VALUE_KEYWORDS,
    TEXT_KEYWORDS,
    JsonSchema,
    has_type,
    map_children,
)
from desktop.values.json_schema import resolve_chain

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonPath

MAX_NODES: Final = 20_000
"""Subschemas that are visited; the largest real schema has some hundreds."""
MAX_INLINED: Final = 2_000
"""Subschemas that replace references; beyond it a reference stays one, which costs nothing."""
MAX_GROWTH: Final = 1.05
"""Times its size that a schema may have without its references; beyond it they are kept."""
_SMALL: Final = 40
"""Characters of a target that replaces each reference to it: one is hardly shorter."""
MAX_DEPTH: Final = 64
"""Levels of subschemas, below which anything is allowed; the deepest real schema has 6."""
_OLD_DRAFT: Final = compile_later(r"draft-0[3-7]")


class Normalised(Struct, frozen=True):
    """The schema to start from and what was changed; `refusal` says why there is none.

    `visited` counts the schemas that were looked at, which is what it cost. `keeps_references`
    says that not only recursion refers to `$defs`.
    """

    schema: JsonSchema
    changes: tuple[Change, ...]
    visited: int
    refusal: str = ""
    keeps_references: bool = False


class _Position(Struct, frozen=True):
    """Where the normaliser is. Targets of references are known by `id`.

    `active` are those being inlined, `same` those inlined without going deeper into the value.
    """

    path: JsonPath
    base: JsonSchema
    depth: int = 0
    active: frozenset[int] = frozenset()
    same: frozenset[int] = frozenset()


class _TooLargeError(Exception):
    """The schema has more than `MAX_NODES` nodes."""


def process_json_schema(schema: Any) -> Normalised:
    """A normalised deep copy of an `inputSchema`, with a report of every change.

    What comes out has `type: object` and `properties`, is valid draft 2020-12, has no reference
    but to its own `$defs` and no combinator at the top. References are replaced by their targets,
    which models read best, unless that makes the schema larger. Never raises.
    """
    normaliser = _Normaliser(schema)
    inlined = normaliser.run()
    if not normaliser.has_grown(inlined):
        return inlined
    kept = _Normaliser(schema, keeps_references=True).run()
    is_better = bool(inlined.refusal) or _length(kept.schema) < _length(inlined.schema)
    return kept if is_better and not kept.refusal else inlined


def _length(schema: Any) -> int:
    try:
        return len(json.dumps(schema, ensure_ascii=False, separators=(",", ":"), default=str))
    except (RecursionError, ValueError):
        return 0


class _Normaliser:
    def __init__(self, schema: Any, *, keeps_references: bool = False) -> None:
        self._input = schema
        self._keeps = keeps_references
        self._shared = frozenset[int]()
        self._root: JsonSchema = dict(cast("Any", schema)) if isinstance(schema, Mapping) else {}
        self._old = bool(_OLD_DRAFT.search(str(self._root.get("$schema", ""))[:200]))
        self._report = Report()
        self._nodes = self._inlined = 0
        self._names: dict[int, str] = {}
        self._pending: list[tuple[str, Any, _Position]] = []

    def has_grown(self, made: Normalised) -> bool:
        """Whether what came of it is too large because references were replaced."""
        if not self._inlined:
            return False
        return bool(made.refusal) or _length(made.schema) > MAX_GROWTH * _length(self._root)

    def run(self) -> Normalised:
        if not isinstance(self._input, Mapping):
            self._report.add(
                "added",
                (),
                translatable("The schema is not an object; an empty one is sent instead."),
            )
        try:
            whole = frozenset({id(self._root)})
            if self._keeps:
                self._shared = _shared_targets(self._root)
            top = self._visit(self._root, _Position((), self._root, active=whole, same=whole))
            definitions = self._visit_definitions()
        except _TooLargeError:
            words = translatable("its schema has more than {most:,} parts", most=MAX_NODES)
            return Normalised({}, tuple(self._report.changes), self._nodes, words)
        out = make_root_object(top, self._report)
        if definitions:
            out["$defs"] = cut_cycles(definitions, self._report)
        changes = tuple(self._report.changes)
        return Normalised(out, changes, self._nodes, keeps_references=self._keeps)

    def _visit_definitions(self) -> JsonSchema:
        made: JsonSchema = {}
        while self._pending:
            name, target, position = self._pending.pop()
            inside = frozenset({id(target)})
            made[name] = self._visit(target, replace(position, depth=1, active=inside, same=inside))
        return made

    def _visit(self, node: Any, position: _Position) -> JsonSchema:
        self._nodes += 1
        self._inlined += len(position.active) > 1
        if self._nodes > MAX_NODES:
            raise _TooLargeError
        if isinstance(node, bool):
            return {} if node else dict(NEVER_SCHEMA)
        if not isinstance(node, dict):
            self._report.add(
                "loosened",
                position.path,
                translatable("Not a schema: any value is accepted here."),
            )
            return {}
        if position.depth > MAX_DEPTH:
            self._report.add(
                "loosened",
                position.path,
                translatable("Nested too deeply: any value is accepted here."),
            )
            return {}
        schema = cast("JsonSchema", node)
        if position.depth and isinstance(schema.get("$id"), str) and schema["$id"][:1] != "#":
            position = replace(position, base=schema)
        if self._is_kept(schema, position):  # what stands here is referred to from elsewhere
            return {"$ref": self._keep_reference(schema, _name_in(position.path), position)}
        if _is_plain_leaf(schema):
            return {key: list(each) if key == "enum" else each for key, each in schema.items()}
        if "$ref" in schema:
            return self._visit_reference(schema, position)
        return self._visit_plain(schema, position)

    def _visit_plain(self, node: JsonSchema, position: _Position) -> JsonSchema:
        shaped = sanitize_schema(node, position.path, self._report)

        def visit(child: Any, path: JsonPath, keyword: str) -> JsonSchema:
            same = position.same if keyword in SAME_VALUE_KEYWORDS else frozenset[int]()
            inside = _Position(path, position.base, position.depth + 1, position.active, same)
            return self._visit(child, inside)

        mapped = map_children(shaped, position.path, visit, self._report)
        return clean_up_schema(mapped, position.path, self._report)

    def _visit_reference(self, node: JsonSchema, position: _Position) -> JsonSchema:
        here = (*position.path, "$ref")
        rest = {key: value for key, value in node.items() if key != "$ref"}
        if self._old:
            # Before 2019-09 whatever stood next to a reference was ignored.
            rest = {key: rest[key] for key in ("title", "description", "default") if key in rest}
        siblings = self._visit_plain(rest, position)
        reference = node["$ref"]
        target = resolve_chain(position.base, reference) if isinstance(reference, str) else None
        if target is None or id(target) in position.same:
            words = translatable(
                "The reference {reference} points to nothing: any value is accepted here.",
                reference=f"{reference!r:.80}",
            )
            self._report.add("loosened", here, words)
            return siblings
        is_kept = id(target) in position.active or self._is_kept(target, position)
        if is_kept or self._inlined >= MAX_INLINED:
            return {**siblings, "$ref": self._keep_reference(target, str(reference), position)}
        inside = replace(
            position,
            depth=position.depth + 1,
            active=position.active | {id(target)},
            same=position.same | {id(target)},
        )
        self._report.add("moved", here, translatable("The reference was replaced by its target."))
        return merge_all_of(siblings, self._visit(target, inside), position.path, self._report)

    def _is_kept(self, target: Any, position: _Position) -> bool:
        """Whether a reference leads to it; not where it says what the arguments themselves are."""
        if id(target) not in self._shared or id(self._root) in position.same:
            return False
        return id(target) not in position.active

    def _keep_reference(self, target: Any, reference: str, position: _Position) -> str:
        """The reference to a target under `$defs`; the target is visited later."""
        name = self._names.get(id(target))
        if name is None:
            wanted = re.sub(r"[^A-Za-z0-9_.-]", "_", reference.rpartition("/")[2])[:60].strip("#_")
            name = wanted or "root"
            if name in self._names.values():
                name = f"{name}_{len(self._names)}"
            self._names[id(target)] = name
            self._pending.append((name, target, position))
        return f"#/$defs/{name}"


def _name_in(path: JsonPath) -> str:
    return str(next((part for part in reversed(path) if isinstance(part, str)), "part"))


def _shared_targets(root: JsonSchema) -> frozenset[int]:
    """The schemas, by their `id`, that more than one place of `root` means; none that is short."""
    uses: Counter[int] = Counter()
    sizes: dict[int, int] = {}
    pending: list[Any] = [root]
    visited = 0
    while pending and visited < MAX_NODES * 4:
        here = pending.pop()
        visited += 1
        if isinstance(here, list):
            pending.extend(cast("list[Any]", here))
        if not isinstance(here, Mapping):
            continue
        node = cast("JsonSchema", here)
        pending.extend(node.values())
        reference: object = node.get("$ref")
        target = resolve_chain(root, reference) if isinstance(reference, str) else None
        if isinstance(target, Mapping):
            uses[id(cast("object", target))] += 1
            sizes.setdefault(id(cast("object", target)), _length(target))
            if not str(reference).startswith(_DEFINITIONS):
                uses[id(cast("object", target))] += 1  # it stands where it is, too
    return frozenset(one for one, count in uses.items() if count > 1 and sizes[one] > _SMALL)


_DEFINITIONS: Final = ("#/$defs/", "#/definitions/")
_PLAIN_TYPES: Final = frozenset(("string", "integer", "number", "boolean", "null"))
_PLAIN_INTEGER: Final = 2**53


def _is_plain_text(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isprintable()


def _is_plain_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _PLAIN_INTEGER


_IS_PLAIN: Final[dict[str, Callable[[Any], bool]]] = {
    "type": lambda value: isinstance(value, str) and value in _PLAIN_TYPES,
    "default": lambda value: (
        isinstance(value, bool) or _is_plain_text(value) or _is_plain_count(value)
    ),
    "enum": lambda value: (
        isinstance(value, list)
        and len(cast("list[Any]", value)) > 0
        and all(map(_is_plain_text, cast("list[Any]", value)))
    ),
    **dict.fromkeys(TEXT_KEYWORDS, _is_plain_text),
    **dict.fromkeys(("minLength", "maxLength", "minimum", "maximum"), _is_plain_count),
}


def _is_plain_leaf(schema: JsonSchema) -> bool:
    """Whether all rules leave `schema` as it is, as they do most parameters: a shortcut.

    What it does not know is not plain, so it can be wrong in one direction only.
    """
    for keyword, value in schema.items():
        is_plain = _IS_PLAIN.get(keyword)
        if is_plain is None or not is_plain(value):
            return False
    return True


_REFUSED_KEYWORDS: Final = ("not", "enum", "const", "$ref")
_COMBINATORS: Final = ("allOf", "anyOf", "oneOf")


def make_root_object(schema: JsonSchema, report: Report) -> JsonSchema:
    """`schema` as an object schema with `type` and `properties` and without combinators.

    OpenAI: "schema must have type 'object' and not have 'oneOf'/..."; Anthropic: "does not support
    oneOf, allOf, or anyOf at the top level". Looks no deeper.
    """
    flat = _flatten(schema, (), report)
    if "type" not in flat:
        report.add("added", (), translatable("'type: object' is added: every provider wants it."))
    elif flat["type"] != "object":
        report.add(
            "added",
            ("type",),
            translatable("The type was changed to 'object': arguments are always an object."),
        )
    if "properties" not in flat:
        report.add(
            "added",
            (),
            translatable(
                "An empty 'properties' was added: not every provider takes an object without it."
            ),
        )
    rest = {key: value for key, value in flat.items() if key not in {"type", "properties"}}
    return {"type": "object", "properties": flat.get("properties", {}), **rest}


def _flatten(schema: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    out = {key: value for key, value in schema.items() if key not in _COMBINATORS}
    for keyword in _REFUSED_KEYWORDS:
        if out.pop(keyword, None) is not None:
            words = translatable(
                "{keyword!r} was removed at the top level: providers reject it there.",
                keyword=keyword,
            )
            report.add("loosened", (*path, keyword), words)
    # Branches declare what the outer schema only refers to, so their descriptions come first.
    for position, branch in enumerate(cast("list[JsonSchema]", schema.get("allOf", []))):
        inner = _flatten(branch, (*path, "allOf", position), report)
        out = merge_all_of(out, inner, (*path, "allOf", position), report)
        report.add("moved", (*path, "allOf"), translatable("The top-level 'allOf' was merged."))
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            out = _merge_alternatives(out, schema[keyword], (*path, keyword), report)
    return out


def _merge_alternatives(
    out: JsonSchema, branches: list[JsonSchema], path: JsonPath, report: Report
) -> JsonSchema:
    flat = [
        _flatten(branch, (*path, position), report)
        for position, branch in enumerate(branches)
        if "type" not in branch or has_type(branch, "object")
    ]
    report.add(
        "loosened", path, translatable("The top-level alternatives were merged into one object.")
    )
    joined = merge_all_of(out, merge_any_of(flat, out.get("properties", {}).keys()), path, report)
    if words := describe_alternatives(flat):
        before = cast("str", joined.get("description", ""))
        joined["description"] = f"{before} {words}".strip()
        report.add("moved", path, translatable("Moved to the description: {words}", words=words))
    return joined


SchemaRule: TypeAlias = "Callable[[JsonSchema, JsonPath, Report], JsonSchema]"


def transform_schema(
    schema: JsonSchema,
    rule: SchemaRule,
    report: Report,
    path: JsonPath = (),
    deepest: int = MAX_DEPTH + 1,
) -> JsonSchema:
    """A copy with `rule` applied to each subschema, the innermost first, and then to the whole.

    Below `deepest` levels anything is allowed.
    """
    if deepest < 0 and schema:
        report.add(
            "loosened",
            path,
            translatable("Nested too deeply for this provider: any value is accepted here."),
        )
        return {}

    def visit(child: Any, path: JsonPath, keyword: str) -> JsonSchema:
        return transform_schema(child, rule, report, path, deepest - 1)

    return rule(map_children(schema, path, visit, report), path, report)
