"""A tool's arguments as fields and as JSON: two views of one value, nothing lost between them.

Imports no Qt. What it asks of others: `validate` for the verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from desktop.gui.form.fields import ABSENT, FieldSpec
from desktop.gui.form.json_text import is_holdable, read_number
from desktop.gui.form.nodes import ArrayNode, JsonNode, Node, ObjectNode, Path, ScalarNode
from desktop.gui.form.schema_reader import SchemaReader
from desktop.tools.issue import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.tools.definition import JsonObject

Check: TypeAlias = "Callable[[JsonObject], list[ValidationIssue]]"

MOST_FIELDS: Final = 200
DEEPEST: Final = 8


class FormModel:
    """The fields of one schema and their values; `root` is replaced when a whole value is set."""

    def __init__(self, schema: JsonObject) -> None:
        self.schema = schema
        self._reader = SchemaReader(schema)
        self._spec = self._reader.read_root()
        self._made = 0
        self.root = self._build({})

    def value(self) -> dict[str, Any]:
        """The arguments: what was filled in, and nothing else."""
        value = self.root.value()
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    def set_value(self, value: JsonObject) -> None:
        self.root = self._build(dict(value))
        for _, node in self.walk():
            node.is_touched = not node.is_absent

    def clear(self) -> None:
        """Back to the untouched form."""
        self.root = self._build({})

    def walk(self) -> Iterator[tuple[Path, Node]]:
        """Every field with its path, in the order drawn; the root comes first."""
        todo: list[tuple[Path, Node]] = [((), self.root)]
        while todo:
            path, node = todo.pop()
            yield path, node
            todo.extend(reversed([((*path, key), child) for key, child in node.children()]))

    def renew(self, node: Node, value: Any) -> None:
        """Give the place of `node` the shape that fits `value`; all other fields stay."""
        path = next((path for path, each in self.walk() if each is node), ())
        if path:
            self.find(path[:-1]).renew(path[-1], value)

    def find(self, path: Path) -> Node:
        """The field at `path`, or the nearest one around it."""
        node = self.root
        for part in path:
            inner = dict(node.children()).get(part)
            if inner is None:
                break
            node = inner
        return node

    def issues(self, check: Check | None = None) -> list[ValidationIssue]:
        """What is wrong with the text of the fields, then with the value they make.

        `check` is who judges the value; without it the schema alone does.
        """
        from desktop.tools.validation import validate  # jsonschema: not before the first paint

        own = list(self._own_issues())
        broken = [issue.path for issue in own if issue.severity == "error"]
        value = self.value()
        found = validate(self.schema, value) if check is None else check(value)
        return own + [
            issue for issue in found if not any(issue.path[: len(at)] == at for at in broken)
        ]

    def has_broken_text(self) -> bool:
        """Whether a field holds text that would be lost by leaving it."""
        return any(issue.severity == "error" for issue in self._text_issues())

    def _own_issues(self) -> Iterator[ValidationIssue]:
        yield from self._text_issues()
        for path, node in self.walk():
            if node.spec.in_list and node.is_absent and not node.problem:
                yield ValidationIssue(path, "rule", "is not filled in yet")

    def _text_issues(self) -> Iterator[ValidationIssue]:
        for path, node in self.walk():
            problem = node.problem
            if isinstance(node, ObjectNode) and node.other.problem:
                problem = f"other properties: {node.other.problem}"
            if problem:
                yield ValidationIssue(path, "format", problem)
            if node.note:
                yield ValidationIssue(path, "range", node.note, "warning")

    def _build(self, value: dict[str, Any]) -> Node:
        self._made = 0
        return self._make(self._spec, value, 0)

    def _make(self, spec: FieldSpec, value: Any, depth: int) -> Node:
        if depth > DEEPEST or not self._is_affordable(spec, value) or not fits(spec, value):
            return JsonNode(spec, value)
        self._made += _inner_count(spec, value)
        if spec.kind == "object":
            start: Any = {} if value is ABSENT and spec.required else value
            return ObjectNode(
                spec,
                lambda name: self._reader.child(spec, name),
                lambda inner, each: self._make(inner, each, depth + 1),
                start,
            )
        if spec.kind == "array":
            items: Any = [] if value is ABSENT and spec.required else value
            item = self._reader.item(spec)
            return ArrayNode(
                spec, item, lambda inner, each: self._make(inner, each, depth + 1), items
            )
        if spec.kind == "const" and spec.required and value is ABSENT:
            return ScalarNode(spec, spec.schema["const"])
        return JsonNode(spec, value) if spec.kind == "json" else ScalarNode(spec, value)

    def _is_affordable(self, spec: FieldSpec, value: Any) -> bool:
        return self._made + _inner_count(spec, value) <= MOST_FIELDS


def _inner_count(spec: FieldSpec, value: Any) -> int:
    """How many fields a node brings with it when it is opened."""
    if spec.kind == "object" and value is ABSENT and not spec.required:
        return 0
    items = len(cast("list[Any]", value)) if isinstance(value, list) else 0
    return len(spec.properties) + items


def fits(spec: FieldSpec, value: Any) -> bool:
    """Whether the field of this kind can show the value exactly."""
    if value is ABSENT or (value is None and spec.nullable):
        return True
    if spec.kind == "string":
        return isinstance(value, str) and is_holdable(value)
    if spec.kind in {"integer", "number"}:
        if isinstance(value, str):
            return is_holdable(value) and read_number(value) is None and bool(value.strip())
        return isinstance(value, int | float) and not isinstance(value, bool)
    if spec.kind == "const":
        return value == spec.schema["const"] and type(value) is type(spec.schema["const"])
    shapes = {"boolean": bool, "array": list, "object": dict}
    return isinstance(value, shapes.get(spec.kind, object))
