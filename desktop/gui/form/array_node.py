"""A list as a field: its items in order, the first ones each of a shape of its own in a tuple.

Imports no Qt. Must not judge values: `desktop.tools.validation` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from desktop.gui.form.fields import ABSENT
from desktop.gui.form.nodes import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.gui.form.fields import FieldSpec
    from desktop.gui.form.nodes import NodeFactory


class ArrayNode(Node):
    """A list; `items` is None while the list itself is absent or null.

    The first items of a tuple are there as soon as it is; those nobody filled in at its end are not
    part of the value.
    """

    def __init__(self, spec: FieldSpec, ground: NodeFactory, value: Any) -> None:
        super().__init__(spec)
        self._ground = ground
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
        return self._ground.reader.item(self.spec, self.fixed)

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
        spec = self._ground.reader.item(self.spec, len(items))
        if value is ABSENT and spec.kind == "string":
            value = ""
        items.append(self._ground.start(spec, value))
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
        return self._ground.make(self._ground.reader.item(self.spec, index), value)
