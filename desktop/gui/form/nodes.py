"""A field of a form, absent, null or filled in; scalars and JSON are here. Imports no Qt.

A value that nobody touched comes out exactly as it went in; one that a field cannot show is held by
a `JsonNode` instead. Must not judge values: `desktop.tools.validation` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from desktop.gui.form.fields import ABSENT, FieldSpec
from desktop.gui.form.json_text import (
    JsonTextError,
    is_exact,
    read_json,
    read_number,
    write_json,
)
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.gui.form.schema_reader import SchemaReader
    from desktop.tool_types import ValidationIssue

Path: TypeAlias = tuple[str | int, ...]


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

    def settle(self) -> None:
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
                "is sent as {number}: a computer's number has fewer digits", number=repr(number)
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
