"""The value of a form as a tree of fields, each absent, null or filled in. Imports no Qt.

A value that nobody touched comes out exactly as it went in; one that a field cannot show is held by
a `JsonNode` instead. Must not judge values: `desktop.tools.validation` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from desktop.gui.form.fields import ABSENT, FieldSpec
from desktop.gui.form.json_text import (
    JsonTextError,
    is_exact,
    read_json,
    read_number,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Path: TypeAlias = tuple[str | int, ...]


class Node:
    """One field: what it looks like, whether a person touched it, what is wrong with its text."""

    def __init__(self, spec: FieldSpec) -> None:
        self.spec = spec
        self.is_touched = False
        self.problem = ""
        """Why the text has no value yet; an error beside those of the schema."""
        self.note = ""
        """Something to know about the value; a warning."""

    def value(self) -> Any:
        """A JSON value, or `ABSENT`."""
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        """Take a value of this node's kind, null where allowed, or `ABSENT`."""
        raise NotImplementedError

    def children(self) -> Iterator[tuple[str | int, Node]]:
        return iter(())

    def renew(self, key: str | int, value: Any) -> None:
        """Put a new node for `value` in the place of a child."""

    @property
    def is_absent(self) -> bool:
        return self.value() is ABSENT

    @property
    def is_null(self) -> bool:
        return self.value() is None


class ScalarNode(Node):
    """Text, number, truth value or choice. An unreadable number keeps its text as its value."""

    def __init__(self, spec: FieldSpec, value: Any = ABSENT) -> None:
        super().__init__(spec)
        self._value = value
        self._text: str | None = None

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._value, self._text, self.note, self.is_touched = value, None, "", True

    @property
    def text(self) -> str:
        """What a line of text shows: as typed, until the value is set otherwise."""
        if self._text is not None:
            return self._text
        if self._value is ABSENT or self._value is None:
            return ""
        return self._value if isinstance(self._value, str) else write_json(self._value, None)

    def type_text(self, text: str) -> None:
        """What a person typed. Nothing typed is nothing sent, except for an item of a list."""
        if self.spec.kind == "string":
            self.set_value(text if text or self.spec.in_list else ABSENT)
            return
        number = read_number(text)
        self.set_value((text if number is None else number) if text.strip() else ABSENT)
        self._text = text
        if number is not None and not is_exact(text, number):
            self.note = f"is sent as {number!r}: a computer's number has fewer digits"


class JsonNode(Node):
    """Anything, written as JSON; text that is not JSON stays and has no value."""

    def __init__(self, spec: FieldSpec, value: Any = ABSENT) -> None:
        super().__init__(spec)
        self._value = value
        self.text = "" if value is ABSENT else write_json(value)

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._value, self.problem, self.is_touched = value, "", True
        self.text = "" if value is ABSENT else write_json(value)

    def type_text(self, text: str) -> None:
        self.text, self.is_touched, self.problem = text, True, ""
        self._value = ABSENT
        if not text.strip():
            return
        try:
            self._value = read_json(text)
        except JsonTextError as error:
            self.problem = f"line {error.line}, column {error.column}: {error}"


Make: TypeAlias = Callable[[FieldSpec, Any], Node]


class ArrayNode(Node):
    """A list; `items` is None while the list itself is absent or null."""

    def __init__(self, spec: FieldSpec, item: FieldSpec, make: Make, value: Any) -> None:
        super().__init__(spec)
        self._item = item
        self._make = make
        self._empty: Any = ABSENT
        self.items: list[Node] | None = None
        self._fill(value)

    def value(self) -> Any:
        if self.items is None:
            return self._empty
        values = [item.value() for item in self.items]
        return [None if value is ABSENT else value for value in values]

    def set_value(self, value: Any) -> None:
        self._fill(value)
        self.is_touched = True

    def children(self) -> Iterator[tuple[str | int, Node]]:
        return iter(enumerate(self.items or ()))

    def add(self, value: Any = ABSENT) -> Node:
        """Append an item; a new line of text is "", everything else waits to be filled in."""
        if value is ABSENT and self._item.kind == "string":
            value = ""
        item = self._make(self._item, value)
        self.items = [*(self.items or ()), item]
        self.is_touched = True
        return item

    def remove(self, index: int) -> None:
        del (self.items or [])[index]
        self.is_touched = True

    def renew(self, key: str | int, value: Any) -> None:
        if self.items is not None and isinstance(key, int):
            self.items[key] = self._make(self._item, value)

    def move(self, index: int, by: int) -> None:
        items = self.items or []
        items.insert(index + by, items.pop(index))
        self.is_touched = True

    def _fill(self, value: Any) -> None:
        self._empty = value if value is None else ABSENT
        self.items = None
        if isinstance(value, list):
            self.items = [self._make(self._item, each) for each in cast("list[Any]", value)]


class ObjectNode(Node):
    """Named fields, and whatever else the object holds; `fields` is None while it is not open."""

    def __init__(
        self, spec: FieldSpec, child: Callable[[str], FieldSpec], make: Make, value: Any
    ) -> None:
        super().__init__(spec)
        self._child = child
        self._make = make
        self._empty: Any = ABSENT
        self._order: tuple[str, ...] = ()
        self.fields: dict[str, Node] | None = None
        self.other = JsonNode(FieldSpec(schema={"type": "object"}))
        """The properties that no field stands for."""
        self._fill(value)

    def value(self) -> Any:
        if self.fields is None:
            return self._empty
        other = self.other.value()
        found = {} if other is ABSENT else dict(other)
        own = {name: node.value() for name, node in self.fields.items()}
        found.update((name, value) for name, value in own.items() if value is not ABSENT)
        ordered = {name: found[name] for name in self._order if name in found}
        return ordered | found

    def set_value(self, value: Any) -> None:
        self._fill(value)
        self.is_touched = True

    def type_other(self, text: str) -> None:
        """Properties beside the named ones, as the text of one JSON object."""
        self.other.type_text(text)
        value = self.other.value()
        taken = [name for name in self.fields or () if value and name in value]
        if value is not ABSENT and not isinstance(value, dict):
            self.other.problem = "must be a JSON object: { … }"
        elif taken:
            self.other.problem = f"{taken[0]!r} has a field of its own"

    def children(self) -> Iterator[tuple[str | int, Node]]:
        return iter((self.fields or {}).items())

    def renew(self, key: str | int, value: Any) -> None:
        if self.fields is not None and isinstance(key, str):
            self.fields[key] = self._make(self._child(key), value)

    def open(self) -> None:
        self.set_value({})

    def _fill(self, value: Any) -> None:
        self._empty = value if value is None else ABSENT
        self.fields = None
        if isinstance(value, dict):
            self._fill_fields(cast("dict[str, Any]", value))

    def _fill_fields(self, value: dict[str, Any]) -> None:
        names = self.spec.properties
        self._order = tuple(value)
        self.fields = {
            name: self._make(self._child(name), value.get(name, ABSENT)) for name in names
        }
        other = {name: each for name, each in value.items() if name not in names}
        self.other = JsonNode(self.other.spec, other or ABSENT)
