"""The node of an object: named fields, those that apply under a condition, and free keys.

Must not judge values: `desktop.tools.validation` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.gui.form.model.field_spec import ABSENT
from desktop.gui.form.model.nodes import JsonNode, Node, ScalarNode
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.gui.form.model.field_spec import FieldSpec
    from desktop.gui.form.model.nodes import NodeFactory

_MAX_ROUNDS: Final = 4
"""A field that a condition brings may be what another condition looks at."""


class MapEntry(Struct, eq=False):
    """A property that the schema does not name: its key, as typed, and its value."""

    key: str
    node: Node
    is_named: bool = True
    problem: ValidationIssue | None = None
    is_sent: bool = True


class ObjectNode(Node):
    """Named fields and free entries; `fields` is None while the object is not open.

    A field whose condition ceases to hold is not part of the value; it is kept and comes back with
    its condition.
    """

    def __init__(
        self, spec: FieldSpec, factory: NodeFactory, value: Any, *, is_new: bool = False
    ) -> None:
        super().__init__(spec)
        self._factory = factory
        self._empty: Any = ABSENT
        self._order: tuple[str, ...] = ()
        self._hidden: dict[str, Node] = {}
        self.shape = spec
        """The properties as they are now, conditions included."""
        self.revision = 0
        """Grows when a condition brought, changed or took fields."""
        self.reshaped: Callable[[], None] = lambda: None
        """Called then; whoever draws the object sets it."""
        self.fields: dict[str, Node] | None = None
        self.entries: list[MapEntry] = []
        self._is_new = is_new
        self._fill(value)

    @property
    def problem(self) -> str:
        broken = next((each for each in self.entries if not each.is_sent), None)
        if broken is None or broken.problem is None:
            return ""
        return translatable(
            "key {key!r}: {problem}", key=broken.key, problem=broken.problem.message
        )

    @property
    def is_map(self) -> bool:
        """Whether it has free keys and nothing else."""
        return self.spec.is_open and not self.spec.properties and not self.spec.has_conditions

    @property
    def may_add(self) -> bool:
        """Whether one more key would be within what the schema allows."""
        most = self.spec.schema.get("maxProperties")
        count = len(self.entries) + sum(not each.is_absent for each in (self.fields or {}).values())
        return self.shape.is_open and not (isinstance(most, int) and count >= most)

    def value(self) -> Any:
        if self.fields is None:
            return self._empty
        found = {each.key: _or_null(each.node.value()) for each in self.entries if each.is_sent}
        own = {name: node.value() for name, node in self.fields.items()}
        found.update((name, value) for name, value in own.items() if value is not ABSENT)
        ordered = {name: found[name] for name in self._order if name in found}
        return ordered | found

    def set_value(self, value: Any) -> None:
        self._is_new, self.is_touched = False, True
        self._fill(value)

    def open(self) -> None:
        """An object to be filled in: what cannot be otherwise is there at once."""
        self._is_new, self.is_touched = True, True
        self._fill({})

    def children(self) -> Iterator[tuple[str | int, Node]]:
        yield from (self.fields or {}).items()
        yield from ((each.key, each.node) for each in self.entries if each.is_sent)

    def renew(self, key: str | int, value: Any) -> None:
        if self.fields is None or not isinstance(key, str):
            return
        if key in self.fields:
            self.fields[key] = self._make(key, value)
        for entry in self.entries:
            if entry.key == key and entry.is_sent:
                entry.node = self._make_entry(key, value)

    def add_entry(self) -> MapEntry:
        """One more property, whose key is still to be typed."""
        if self.fields is None:
            self._fill({})
        entry = MapEntry("", self._start_entry(""), is_named=False)
        self.entries.append(entry)
        self._check_keys()
        self.is_touched = True
        return entry

    def rename_entry(self, entry: MapEntry, key: str) -> None:
        """Type a key; the value takes the shape that the schema gives to that key."""
        entry.key, entry.is_named, self.is_touched = key, bool(key), True
        spec = self._factory.reader.entry(self.shape, key)
        if spec.kind != entry.node.spec.kind or spec.schema != entry.node.spec.schema:
            value = entry.node.value()
            is_empty = value is ABSENT or value == ""
            entry.node = self._start_entry(key) if is_empty else self._make_entry(key, value)
        self._check_keys()

    def remove_entry(self, entry: MapEntry) -> None:
        self.entries.remove(entry)
        self._check_keys()
        self.is_touched = True

    def apply_conditions(self) -> None:
        if not self.spec.has_conditions or self.fields is None:
            return
        before = self.revision
        for _ in range(_MAX_ROUNDS):
            shape = self._factory.reader.with_conditions(
                self.spec, self.value(), self._factory.problem
            )
            if shape == self.shape:
                break
            self._take_shape(shape)
        if self.revision != before:
            self.reshaped()

    def _fill(self, value: Any) -> None:
        self._empty = value if value is None else ABSENT
        self.fields, self.entries, self._hidden = None, [], {}
        if isinstance(value, dict):
            self._fill_fields(cast("dict[str, Any]", value))

    def _fill_fields(self, value: dict[str, Any]) -> None:
        self.shape = self.spec
        if self.spec.has_conditions:
            self.shape = self._factory.reader.with_conditions(
                self.spec, value, self._factory.problem
            )
        names = self.shape.properties
        self._order = tuple(value)
        self.fields = {name: self._make(name, value.get(name, ABSENT)) for name in names}
        self.entries = [
            MapEntry(key, self._make_entry(key, each))
            for key, each in value.items()
            if key not in names
        ]
        self._check_keys()

    def _take_shape(self, shape: FieldSpec) -> None:
        known = {**self._hidden, **(self.fields or {})}
        self.shape, before = shape, self.fields or {}
        entries = {each.key: each for each in self.entries if each.is_sent}
        self.fields = {}
        for name in shape.properties:
            node = known.pop(name, None)
            if node is None and name in entries:
                node = entries[name].node
            if name in entries:
                self.entries.remove(entries[name])
            self.fields[name] = self._fitted(name, node)
        self._hidden = known
        is_same = self.fields.keys() == before.keys()
        is_other = any(before[name] is not node for name, node in self.fields.items() if is_same)
        self.revision += not is_same or is_other
        self._check_keys()

    def _fitted(self, name: str, node: Node | None) -> Node:
        """The field of this name in the shape of now; its text stays where its kind does."""
        if node is None:
            return self._factory.start(self._factory.reader.child(self.shape, name))
        spec = self._factory.reader.child(self.shape, name)
        if spec == node.spec:
            return node
        is_plain = spec.kind == node.spec.kind and isinstance(node, ScalarNode | JsonNode)
        if is_plain and spec.options == node.spec.options:
            node.spec = spec
            self.revision += 1
            return node
        return self._make(name, node.value())

    def _make(self, name: str, value: Any) -> Node:
        spec = self._factory.reader.child(self.shape, name)
        is_new = self._is_new and value is ABSENT
        return self._factory.start(spec) if is_new else self._factory.make(spec, value)

    def _make_entry(self, key: str, value: Any) -> Node:
        return self._factory.make(self._factory.reader.entry(self.shape, key), value)

    def _start_entry(self, key: str) -> Node:
        spec = self._factory.reader.entry(self.shape, key)
        return self._factory.start(spec, "" if spec.kind == "string" else ABSENT)

    def _check_keys(self) -> None:
        taken = set(self.fields or ())
        for entry in self.entries:
            is_twice = entry.key in taken
            entry.is_sent = entry.is_named and not is_twice
            if not entry.is_named:
                entry.problem = _wrong(translatable("needs a name"))
            elif is_twice:
                entry.problem = _wrong(translatable("already exists"))
            else:
                entry.problem = self._problem_of_key(entry.key)
            taken.add(entry.key)

    def _problem_of_key(self, key: str) -> ValidationIssue | None:
        names = self.shape.schema.get("propertyNames")
        if names is not None and (problem := self._factory.problem(names, key)):
            return problem
        if self.shape.additional is False and not self._factory.reader.matching(self.shape, key):
            patterns = [pattern for pattern, _ in self.shape.patterns]
            if not patterns:
                return _wrong(translatable("is not a known property"))
            return _wrong(translatable("must match {patterns}", patterns=" or ".join(patterns)))
        return None


def _wrong(words: str) -> ValidationIssue:
    return ValidationIssue((), "rule", words)


def _or_null(value: Any) -> Any:
    return None if value is ABSENT else value
