"""What of the tools changed from one server, or recording of one, to another.

Only by what the two declare: nothing is called. Breaking is what a caller of the first can stumble
over at the second: a tool or an argument that is gone, a value that is not allowed any more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct, field

from desktop.values.json_schema import object_of
from desktop.values.tool_types import join_json_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.servers.recording import RecordedServer
    from desktop.values.tool_types import ToolDefinition

# What changed from one schema to a later one, and whether it breaks who relies on the first.
#
# For arguments a later schema may allow more, for output it may allow less. What cannot be judged
# keyword by keyword (combined schemas, patterns) counts as breaking where it differs: better a look
# too many. Bounded, whatever a stranger's schema is made of. Must not validate a value.


Side: TypeAlias = Literal["input", "output"]
MAX_DEPTH: Final = 40
MAX_PLACES: Final = 5_000
MAX_CHANGES: Final = 200
_WORDS: Final = frozenset(
    ("title", "description", "default", "examples", "$comment", "$schema", "$id", "deprecated")
)
"""Keywords that nothing is held against."""
_LOWER: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_SEEN_TO: Final = frozenset(
    (
        *_LOWER,
        *_UPPER,
        *("type", "enum", "const", "properties", "required", "items", "additionalProperties"),
        *("$ref", "$dynamicRef", "$defs", "definitions"),
    )
)
_REFERENCES: Final = ("$ref", "$dynamicRef")
_ANCHORS: Final = ("$anchor", "$dynamicAnchor")
_ALIKE: Final = frozenset(("anyOf", "allOf", "prefixItems", "patternProperties"))
"""Keywords in which a schema that allows less makes the whole allow less."""
_NAMED: Final = frozenset(("patternProperties", "dependentSchemas"))
"""Keywords with schemas by a name."""
_ANYTHING: Final[Mapping[str, Any]] = {}
_TYPES: Final = frozenset(("string", "number", "boolean", "null", "array", "object"))


class SchemaChange(Struct, frozen=True):
    """`where` is the place in the value (empty for the whole); `words` follow it."""

    where: str
    words: str
    is_breaking: bool

    def __str__(self) -> str:
        return f"{self.where}: {self.words}" if self.where else self.words


def find_changes(old: object, new: object, side: Side) -> list[SchemaChange]:
    """All changes from `old` to `new`, at most `MAX_CHANGES`."""
    comparison = _Comparison(side, old, new)
    comparison.compare(old, new, "", 0)
    return comparison.changes[:MAX_CHANGES]


class _Comparison(Struct):
    side: Side
    old_root: object
    new_root: object
    changes: list[SchemaChange] = field(default_factory=list[SchemaChange])
    places: int = 0
    seen: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """What is being compared, or was found to be the same, by its objects in the two roots."""
    referring: dict[int, bool] = field(default_factory=dict[int, bool])
    """Which of these objects have a reference in them: the same text may mean another thing."""
    merged: dict[int, Schema] = field(default_factory=dict[int, "Schema"])
    """References with what stands beside them, by their objects."""

    def compare(self, old: object, new: object, where: str, depth: int) -> None:
        old, new = self._resolved(old, self.old_root), self._resolved(new, self.new_root)
        pair = id(old), id(new)
        if pair in self.seen or (old == new and not self._refers(old)):
            return
        self.places += 1
        if depth > MAX_DEPTH or self.places > MAX_PLACES:
            self._add(where, "is too deep or too large to be compared", is_breaking=True)
            return
        before, after = _as_object(old), _as_object(new)
        if before is None or after is None:
            self._narrowed(where, "what is allowed here changed", is_narrower=None)
            return
        self.seen.add(pair)
        count = len(self.changes)
        self._compare_keywords(before, after, where, depth)
        if len(self.changes) > count:
            self.seen.discard(pair)  # said wherever it is found

    def _compare_keywords(self, before: Schema, after: Schema, where: str, depth: int) -> None:
        if any(before.get(keyword) != after.get(keyword) for keyword in _REFERENCES):
            self._narrowed(where, "what it refers to changed", is_narrower=None)
        self._compare_types(before, after, where)
        self._compare_choices(before, after, where)
        self._compare_limits(before, after, where)
        self._compare_members(before, after, where, depth)
        if "items" in before or "items" in after:
            item = f"{where}[]"
            one, other = before.get("items", _ANYTHING), after.get("items", _ANYTHING)
            self.compare(one, other, item, depth + 1)
        self._compare_rest(before, after, where, depth)

    def _resolved(self, schema: object, root: object) -> object:
        """What a reference leads to, with what stands beside it; anything else as it is."""
        found = _resolved(schema, root)
        given, target = _as_object(schema), _as_object(found)
        if found is schema or given is None or target is None:
            return found
        beside = {key: given[key] for key in given if key not in _WORDS | {*_REFERENCES}}
        if not beside:
            return found
        return self.merged.setdefault(id(schema), {**target, **beside})

    def _refers(self, value: object, depth: int = 0) -> bool:
        """Whether there is a reference in it; where it is too deep, there may be."""
        if not isinstance(value, dict | list):
            return False
        if depth > MAX_DEPTH:
            return True
        key = id(cast("object", value))
        if key not in self.referring:
            inside = _inside(cast("object", value))
            found = isinstance(value, dict) and any(name in value for name in _REFERENCES)
            self.referring[key] = found or any(self._refers(each, depth + 1) for each in inside)
        return self.referring[key]

    def _compare_types(self, old: Schema, new: Schema, where: str) -> None:
        before, after = _types(old), _types(new)
        words = f"type changed from {_shown(old.get('type'))} to {_shown(new.get('type'))}"
        self._compare_sets(before, after, where, words)

    def _compare_choices(self, old: Schema, new: Schema, where: str) -> None:
        before, after = _choices(old), _choices(new)
        if before == after:
            return
        if before is None or after is None:
            words = "is limited to certain values" if before is None else "takes any value now"
            self._narrowed(where, words, is_narrower=before is None)
            return
        gone, fresh = sorted(before - after), sorted(after - before)
        told = [f"no longer {', '.join(gone[:5])}"] if gone else []
        told += [f"also {', '.join(fresh[:5])}"] if fresh else []
        self._compare_sets(before, after, where, f"allowed values changed: {'; '.join(told)}")

    def _compare_sets(
        self, before: frozenset[str], after: frozenset[str], where: str, words: str
    ) -> None:
        if before == after:
            return
        kept = after <= before if self.side == "output" else before <= after
        self._add(where, words, is_breaking=not kept)

    def _compare_limits(self, old: Schema, new: Schema, where: str) -> None:
        for keyword in (*_LOWER, *_UPPER):
            before, after = old.get(keyword), new.get(keyword)
            if before == after:
                continue
            words = f"{keyword} changed from {_shown(before)} to {_shown(after)}"
            self._narrowed(where, words, is_narrower=_is_narrower(keyword, before, after))

    def _compare_members(self, old: Schema, new: Schema, where: str, depth: int) -> None:
        before, after = _members(old), _members(new)
        needed, needs = _required(old), _required(new)
        for name in {**before, **after}:
            place = join_json_path(where, name)
            if name not in after:
                self._add(place, "was removed", is_breaking=True)
            elif name not in before:
                is_breaking = self.side == "input" and name in needs
                words = "is new and required" if name in needs else "is new"
                self._add(place, words, is_breaking=is_breaking)
            else:
                self.compare(before[name], after[name], place, depth + 1)
                if (name in needed) != (name in needs):
                    words = "is required now" if name in needs else "is no longer required"
                    self._narrowed(place, words, is_narrower=name in needs)
        open_before: object = old.get("additionalProperties", True)
        open_after: object = new.get("additionalProperties", True)
        if _as_object(open_before) is not None and _as_object(open_after) is not None:
            self.compare(open_before, open_after, join_json_path(where, "*"), depth + 1)
        elif open_before != open_after:
            words = "other properties are limited" if open_before is True else "more is allowed"
            is_narrower = open_before is True or open_after is False
            self._narrowed(where, words, is_narrower=is_narrower)

    def _compare_rest(self, old: Schema, new: Schema, where: str, depth: int) -> None:
        for keyword in sorted({*old, *new} - _SEEN_TO):
            if old.get(keyword) == new.get(keyword):
                self._compare_targets(keyword, old.get(keyword), new.get(keyword), where, depth)
                continue
            if keyword in _WORDS:
                self._add(where, f"{keyword} changed", is_breaking=False)
                continue
            # Added it only narrows, taken away it only widens; changed it may do either.
            is_narrower = None if keyword in old and keyword in new else keyword in new
            self._narrowed(where, f"{keyword} changed", is_narrower=is_narrower)

    def _compare_targets(
        self, keyword: str, old: object, new: object, where: str, depth: int
    ) -> None:
        """Compare what two equal texts refer to."""
        if keyword in _WORDS or not self._refers(old):
            return
        count = len(self.changes)
        before, after = _as_object(old), _as_object(new)
        if before is not None and after is not None and keyword not in _NAMED:
            self.compare(before, after, where, depth + 1)
        else:
            for one, other in zip(_inside(old), _inside(new), strict=True):
                self.compare(one, other, where, depth + 1)
        if len(self.changes) > count and keyword not in _ALIKE:
            del self.changes[count:]
            self._narrowed(where, f"{keyword} changed", is_narrower=None)

    def _narrowed(self, where: str, words: str, *, is_narrower: bool | None) -> None:
        """Note a change that allows less, or more, or (None) who knows."""
        is_kept = is_narrower is (self.side == "output")
        self._add(where, words, is_breaking=not is_kept)

    def _add(self, where: str, words: str, *, is_breaking: bool) -> None:
        if len(self.changes) <= MAX_CHANGES:
            self.changes.append(SchemaChange(where, words, is_breaking))


Schema: TypeAlias = Mapping[str, Any]


def _resolved(schema: object, root: object) -> object:
    """What a reference within the same schema leads to; anything else as it is."""
    for _ in range(MAX_DEPTH):
        found = _as_object(schema)
        target = next((found[name] for name in _REFERENCES if name in found), None) if found else 0
        if not isinstance(target, str) or not target.startswith("#"):
            return schema
        if target[1:] and target[1] != "/":
            return _anchored(root, target[1:])
        schema = root
        for part in target[1:].split("/")[1:]:
            step = _as_object(schema)
            schema = step.get(part.replace("~1", "/").replace("~0", "~")) if step else None
    return schema


def _anchored(root: object, name: str) -> object:
    """The first schema with this anchor; None where there is none."""
    waiting = [root]
    for _ in range(MAX_PLACES):
        if not waiting:
            return None
        here = waiting.pop()
        schema = _as_object(here)
        if schema is not None and any(schema.get(anchor) == name for anchor in _ANCHORS):
            return schema
        waiting += _inside(here)
    return None


def _inside(value: object) -> list[object]:
    """The values of an object or a list; nothing of anything else."""
    if isinstance(value, dict):
        return list(cast("dict[str, object]", value).values())
    return list(cast("list[object]", value)) if isinstance(value, list) else []


def _as_object(value: object) -> Schema | None:
    return cast("Schema", value) if isinstance(value, dict) else None


def _types(schema: Schema) -> frozenset[str]:
    given: object = schema.get("type")
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names:
        return _TYPES | {"integer"}
    found = {str(name) for name in cast("list[object]", names)}
    return frozenset(found | ({"integer"} if "number" in found else set()))


def _choices(schema: Schema) -> frozenset[str] | None:
    if "const" in schema:
        return frozenset((_shown(schema["const"]),))
    values: object = schema.get("enum")
    if not isinstance(values, list):
        return None
    return frozenset(_shown(value) for value in cast("list[object]", values))


def _members(schema: Schema) -> dict[str, object]:
    found = _as_object(schema.get("properties"))
    return dict(found) if found is not None else {}


def _required(schema: Schema) -> frozenset[str]:
    return frozenset(_texts(schema.get("required")))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (each for each in cast("list[object]", value) if isinstance(each, str))


def _is_narrower(keyword: str, before: object, after: object) -> bool | None:
    """Whether a limit allows less than the one before it; None where that cannot be said."""
    if before is None or after is None:
        return before is None
    if not isinstance(before, int | float) or not isinstance(after, int | float):
        return None
    return after > before if keyword in _LOWER else after < before


def _shown(value: object) -> str:
    if value is None:
        return "none"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"


class DeclaredTool(Struct, frozen=True):
    """What is compared of a tool."""

    description: str
    arguments: Any
    output: Any


class ToolComparison(Struct):
    """The names of tools, and what changed of those that both have."""

    added: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    changed: dict[str, list[SchemaChange]] = field(default_factory=dict[str, Any])

    @property
    def is_breaking(self) -> bool:
        changes = [change for of_tool in self.changed.values() for change in of_tool]
        return bool(self.removed) or any(change.is_breaking for change in changes)

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)


def declared_by(tools: Iterable[ToolDefinition]) -> dict[str, DeclaredTool]:
    """By its name, what a connected server declares."""
    return {
        tool.name: DeclaredTool(tool.description, tool.input_schema, tool.output_schema)
        for tool in tools
    }


def declared_in(server: RecordedServer) -> dict[str, DeclaredTool]:
    """By its name, what a recorded server declared."""
    return {
        str(tool.get("name")): DeclaredTool(
            str(tool.get("description") or ""),
            object_of(tool.get("inputSchema")),
            tool.get("outputSchema"),
        )
        for tool in server.entries("tools/list", "tools")
    }


def compare_tools(
    old: Mapping[str, DeclaredTool], new: Mapping[str, DeclaredTool]
) -> ToolComparison:
    """All that changed from `old` to `new`; what is in neither is the same."""
    found = ToolComparison(
        added=[name for name in new if name not in old],
        removed=[name for name in old if name not in new],
    )
    for name in old:
        if name in new and (changes := _changes_of(old[name], new[name])):
            found.changed[name] = changes
    return found


def _changes_of(old: DeclaredTool, new: DeclaredTool) -> list[SchemaChange]:
    changes: list[SchemaChange] = []
    if old.description != new.description:
        changes.append(SchemaChange("", "description changed", is_breaking=False))
    changes += find_changes(old.arguments, new.arguments, "input")
    if (old.output is None) != (new.output is None):
        words = "output schema was removed" if new.output is None else "output schema is new"
        changes.append(SchemaChange("", words, is_breaking=new.output is None))
    elif old.output is not None:
        for change in find_changes(old.output, new.output, "output"):
            where = f"output {change.where}".rstrip()
            changes.append(SchemaChange(where, change.words, change.is_breaking))
    return changes
