"""A tool's arguments as a tree of nodes, and everything that a person has typed into them.

An untouched form sends nothing but what cannot be otherwise: a required constant, and a required
object as the frame of its fields. Does not judge the value: that is for `desktop.tools.validation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.translatable import translatable
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, can_represent
from desktop.gui.form.model.json_text import JsonTextError, read_json
from desktop.gui.form.model.nodes import ArrayNode, JsonNode, Node, ScalarNode
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.model.schema_reader import SchemaReader
from desktop.gui.form.model.union_node import SubschemaValidator, UnionNode
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.values.tool_types import JsonObject, JsonPath

Check: TypeAlias = "Callable[[JsonObject], list[ValidationIssue]]"

MAX_FIELDS: Final = 200
"""Fields that one step (opening the form, adding an item) may bring; more are one JSON field."""
MAX_WEIGHT: Final = 200
"""What they may weigh together, each as much as it is deep: Qt lays out all levels for each."""
MAX_FILLED_WEIGHT: Final = 600
"""The same where there is a value to be shown: a list of twenty rows of four is one."""
MAX_DEPTH: Final = 12


class FormModel:
    """The fields of one schema and their values; `root` is replaced when a whole value is set."""

    def __init__(self, schema: JsonObject) -> None:
        self.schema = schema
        self._reader = SchemaReader(schema)
        self._maker = _NodeMaker(self._reader, SubschemaValidator(schema), _Budget())
        self._spec = self._reader.read_root()
        self.root = self._maker.start(self._spec)

    def value(self) -> dict[str, Any]:
        """The arguments: what was filled in, and nothing else."""
        self.apply_conditions()
        value = self.root.value()
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    def set_value(self, value: JsonObject) -> None:
        self.root = self._maker.make(self._spec, dict(value))
        for _, node in self.walk():
            node.is_touched = not node.is_absent

    def clear(self) -> None:
        """Back to the untouched form."""
        self.root = self._maker.start(self._spec)

    def apply_conditions(self) -> None:
        """Bring all fields in line with the values they depend on."""
        for _, node in self.walk():
            node.apply_conditions()

    def walk(self) -> Iterator[tuple[JsonPath, Node]]:
        """Every field with its path, in the order drawn; the root comes first."""
        todo: list[tuple[JsonPath, Node]] = [((), self.root)]
        while todo:
            path, node = todo.pop()
            yield path, node
            todo.extend(reversed([((*path, key), child) for key, child in node.children()]))

    def renew(self, node: Node, value: Any) -> None:
        """Give the place of `node` the shape that fits `value`; all other fields stay."""
        path = next((path for path, each in self.walk() if each is node), ())
        if path:
            self.find(path[:-1]).renew(path[-1], value)

    def find(self, path: JsonPath) -> Node:
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

        value = self.value()
        own = list(self._own_issues())
        broken = [issue.path for issue in own if issue.severity == "error"]
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
            if isinstance(node, ArrayNode):
                for index, item in enumerate(node.items or ()):
                    if node.is_needed(index) and _is_waiting(item):
                        yield ValidationIssue(
                            (*path, index), "rule", translatable("is not filled in yet")
                        )
            elif isinstance(node, ObjectNode):
                for entry in node.entries:
                    if entry.is_sent and _is_waiting(entry.node):
                        yield ValidationIssue(
                            (*path, entry.key), "rule", translatable("is not filled in yet")
                        )

    def _text_issues(self) -> Iterator[ValidationIssue]:
        for path, node in self.walk():
            if problem := node.problem:
                yield ValidationIssue(path, "format", problem)
            if note := node.note:
                yield ValidationIssue(path, "range", note, "warning")


class _Budget(Struct):
    """What one step has made so far; the step ends when its outermost field is made."""

    made: int = 0
    weight: int = 0
    max_weight: int = MAX_WEIGHT
    is_running: bool = False

    def takes(self, count: int, depth: int) -> bool:
        """Whether so many fields more can be had; then they are."""
        made, weight = self.made + count, self.weight + count * depth
        if made > MAX_FIELDS or weight > self.max_weight:
            return False
        self.made, self.weight = made, weight
        return True


class _NodeMaker:
    """Makes fields of any kind, each with a maker one level down for what is inside it."""

    def __init__(
        self, reader: SchemaReader, verdicts: SubschemaValidator, budget: _Budget, depth: int = 0
    ) -> None:
        self.reader = reader
        self._verdicts = verdicts
        self._budget = budget
        self._depth = depth

    def problem(self, schema: Any, value: Any) -> ValidationIssue | None:
        return self._verdicts.problem(schema, value)

    def make(self, spec: FieldSpec, value: Any) -> Node:
        return self._step(spec, value, is_new=False)

    def start(self, spec: FieldSpec, value: Any = ABSENT) -> Node:
        if value is ABSENT and spec.required:
            if spec.kind == "const":
                value = spec.schema["const"]
            elif self._depth == 0 or (spec.kind == "object" and spec.properties) or spec.base:
                value = {}
        return self._step(spec, value, is_new=True)

    def _step(self, spec: FieldSpec, value: Any, *, is_new: bool) -> Node:
        if self._budget.is_running:
            return self._make(spec, value, is_new=is_new)
        self._budget.made, self._budget.weight, self._budget.is_running = 0, 0, True
        self._budget.max_weight = MAX_WEIGHT if is_new else MAX_FILLED_WEIGHT
        try:
            return self._make(spec, value, is_new=is_new)
        finally:
            self._budget.is_running = False

    def _make(self, spec: FieldSpec, value: Any, *, is_new: bool) -> Node:
        count = _inner_count(spec, value)
        fits = can_represent(spec, value)
        is_affordable = self._depth <= MAX_DEPTH and (
            not fits or self._budget.takes(count, self._depth + 1)
        )
        if not is_affordable or not fits:
            kept = ABSENT if is_new and value == {} else value
            return JsonNode(replace(spec, fallback="" if is_affordable else "size"), kept)
        inner = _NodeMaker(self.reader, self._verdicts, self._budget, self._depth + 1)
        if spec.kind == "object":
            return ObjectNode(spec, inner, value, is_new=is_new)
        if spec.kind == "array":
            return ArrayNode(spec, inner, value)
        if spec.kind == "union":
            return UnionNode(spec, inner, value, is_new=is_new)
        return JsonNode(spec, value) if spec.kind == "json" else ScalarNode(spec, value)


def _inner_count(spec: FieldSpec, value: Any) -> int:
    """How many fields a node brings with it when it is opened."""
    if value is ABSENT:
        return 0
    free = len(cast("list[Any]", value)) if isinstance(value, list | dict) else 0
    return len(spec.properties) + len(spec.prefix) + free


def _is_waiting(node: Node) -> bool:
    return node.is_absent and not node.problem


class FormState(Struct, frozen=True):
    """The value, and beside it what has none yet.

    `text` is the JSON view's where that is shown; `unread` the texts of fields that are not JSON.
    """

    value: dict[str, Any]
    text: str | None = None
    unread: tuple[tuple[JsonPath, str], ...] = ()
    is_open: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nobody would miss it."""
        return not (self.value or self.unread or _is_unread(self.text))


def unread_texts(model: FormModel) -> tuple[tuple[JsonPath, str], ...]:
    """The text of every field that stands for nothing yet."""
    return tuple(
        (path, node.text)
        for path, node in model.walk()
        if isinstance(node, JsonNode) and node.problem
    )


def restore_state(model: FormModel, state: FormState) -> None:
    """Give `model` the value and the texts, these where it has a place for them."""
    model.set_value(state.value)
    places = {path: node for path, node in model.walk() if isinstance(node, JsonNode)}
    for path, text in state.unread:
        if path in places:
            places[path].type_text(text)


def _is_unread(text: str | None) -> bool:
    try:
        return text is not None and bool(text.strip()) and read_json(text) != {}
    except JsonTextError:
        return True
