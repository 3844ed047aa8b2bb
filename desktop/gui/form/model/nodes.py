"""The nodes of a form that hold values: scalars, JSON and lists; each absent, null or filled in.

A value that nobody touched comes out exactly as it went in; one that a field cannot show is held by
a `JsonNode` instead. Must not judge values: `desktop.tools.validation` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from desktop.base.translatable import translatable
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec
from desktop.gui.form.model.json_text import (
    JsonTextError,
    is_exact,
    read_json,
    read_number,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.gui.form.model.schema_reader import SchemaReader
    from desktop.values.tool_types import ValidationIssue


class NodeFactory(Protocol):
    """What a field with others inside it grows on: the schema, and the making of its parts."""

    @property
    def reader(self) -> SchemaReader: ...

    def make(self, spec: FieldSpec, value: Any) -> Node:
        """A field inside, of the shape that can hold `value`."""
        ...

    def start(self, spec: FieldSpec, value: Any = ABSENT) -> Node:
        """A field that was not there before: what cannot be otherwise is filled in."""
        ...

    def problem(self, schema: Any, value: Any) -> ValidationIssue | None:
        """What is wrong with a value by a part of the schema; None when it fits."""
        ...


class Node:
    """One field: what it looks like, whether a person touched it, what is wrong with its text."""

    def __init__(self, spec: FieldSpec) -> None:
        self.spec = spec
        self.is_touched = False

    @property
    def is_begun(self) -> bool:
        """Whether a person put something into it, and so may be told what is wrong."""
        return self.is_touched

    @property
    def problem(self) -> str:
        """Why the text has no value yet; an error beside those of the schema."""
        return ""

    @property
    def note(self) -> str:
        """Something to know about the value; a warning."""
        return ""

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

    def apply_conditions(self) -> None:
        """Bring the fields inside in line with the values they depend on."""

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
        self._note = ""

    @property
    def note(self) -> str:
        return self._note

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._value, self._text, self._note, self.is_touched = value, None, "", True

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
            self._note = translatable(
                "is sent as {number}, the nearest number that can be represented",
                number=repr(number),
            )


class JsonNode(Node):
    """Anything, written as JSON; text that is not JSON stays and has no value."""

    def __init__(self, spec: FieldSpec, value: Any = ABSENT) -> None:
        super().__init__(spec)
        self._value = value
        self._problem = ""
        self.text = "" if value is ABSENT else write_json(value)

    @property
    def problem(self) -> str:
        return self._problem

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._value, self._problem, self.is_touched = value, "", True
        self.text = "" if value is ABSENT else write_json(value)

    def type_text(self, text: str) -> None:
        self.text, self.is_touched, self._problem = text, True, ""
        self._value = ABSENT
        if not text.strip():
            return
        try:
            self._value = read_json(text)
        except JsonTextError as error:
            self._problem = translatable(
                "line {line}, column {column}: {problem}",
                line=error.line,
                column=error.column,
                problem=str(error),
            )


class ArrayNode(Node):
    """A list; `items` is None while the list itself is absent or null.

    The first items of a tuple are there as soon as it is; those nobody filled in at its end are not
    part of the value.
    """

    def __init__(self, spec: FieldSpec, factory: NodeFactory, value: Any) -> None:
        super().__init__(spec)
        self._factory = factory
        self._empty: Any = ABSENT
        self.items: list[Node] | None = None
        self._fill(value)

    @property
    def fixed(self) -> int:
        """How many items stand at the start, each in its own place: they stay."""
        return len(self.spec.prefix)

    @property
    def item_spec(self) -> FieldSpec:
        """What the items look like, those after the first ones of a tuple."""
        return self._factory.reader.item(self.spec, self.fixed)

    @property
    def may_add(self) -> bool:
        """Whether another item would be within what the schema allows."""
        most = self.spec.schema.get("maxItems")
        is_full = isinstance(most, int) and len(self.items or ()) >= most
        return not is_full and (self.spec.item is not None or not self.fixed)

    def value(self) -> Any:
        if self.items is None:
            return self._empty
        values = [item.value() for item in self.items]
        while values and values[-1] is ABSENT and len(values) <= self.fixed:
            values.pop()
        return [None if value is ABSENT else value for value in values]

    def set_value(self, value: Any) -> None:
        self._fill(value)
        self.is_touched = True

    def children(self) -> Iterator[tuple[str | int, Node]]:
        return iter(enumerate(self.items or ()))

    def is_needed(self, index: int) -> bool:
        """Whether the place at `index` is part of the value, filled in or not."""
        value = self.value()
        return isinstance(value, list) and index < len(cast("list[Any]", value))

    def open(self) -> None:
        """An empty list, or the places of a tuple."""
        self.set_value([])

    def add(self, value: Any = ABSENT) -> Node:
        """Append an item; a new line of text is "", everything else waits to be filled in."""
        if self.items is None:
            self._fill([])
        items = self.items = [*(self.items or ())]
        spec = self._factory.reader.item(self.spec, len(items))
        if value is ABSENT and spec.kind == "string":
            value = ""
        items.append(self._factory.start(spec, value))
        self.is_touched = True
        return items[-1]

    def remove(self, index: int) -> None:
        del (self.items or [])[index]
        self.is_touched = True

    def renew(self, key: str | int, value: Any) -> None:
        if self.items is not None and isinstance(key, int):
            self.items[key] = self._make(key, value)

    def move(self, index: int, by: int) -> None:
        items = self.items or []
        items.insert(index + by, items.pop(index))
        self.is_touched = True

    def _fill(self, value: Any) -> None:
        self._empty = value if value is None else ABSENT
        self.items = None
        if isinstance(value, list):
            values = cast("list[Any]", value)
            missing = [ABSENT] * (self.fixed - len(values))
            self.items = [self._make(at, each) for at, each in enumerate([*values, *missing])]

    def _make(self, index: int, value: Any) -> Node:
        return self._factory.make(self._factory.reader.item(self.spec, index), value)
