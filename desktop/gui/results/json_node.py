"""A JSON value as a tree of small steps: long arrays and objects become ranges of at most 500.

Nothing below a node exists before it is opened, so a value of any size costs nothing unseen.
Must not import Qt.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any, cast
from weakref import ref

RANGE = 500
"""Rows opened in one go: about 5 ms of work for the view."""

_SHOWN = 300
_PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z", re.ASCII)


class JsonTreeNode:
    """One row: a value with its key and path, or a range of its parent's children."""

    __slots__ = ("__weakref__", "_above", "_range", "children", "key", "path", "row", "value")

    def __init__(
        self,
        value: Any,
        key: str = "$",
        path: str = "",
        parent: JsonTreeNode | None = None,
        row: int = 0,
        part: tuple[int, int] | None = None,
    ) -> None:
        """`path` is from the root, as in `items[0].name`.

        `part` is the half-open range of the value's children that this row stands for.
        """
        self.value = value
        self.key = key
        self.path = path
        # Weakly: rows that hold each other would keep a value until somebody looks for garbage.
        self._above = ref(parent) if parent is not None else None
        self.row = row
        self.children: list[JsonTreeNode] | None = None
        self._range = part

    @property
    def parent(self) -> JsonTreeNode | None:
        """The row above; who holds the root holds them all."""
        return self._above() if self._above is not None else None

    @property
    def is_range(self) -> bool:
        return self._range is not None

    @property
    def child_count(self) -> int:
        """How many children there will be once opened."""
        start, end = self._bounds()
        count = end - start
        return count if count <= RANGE else -(-count // _step(count))

    def open(self) -> list[JsonTreeNode]:
        """Make the children; the caller puts them in `children` when its view is ready."""
        start, end = self._bounds()
        if end - start > RANGE:
            return self._ranges(start, end)
        if (members := _members(self.value)) is not None:
            pairs = islice(members.items(), start, end)
            return [
                JsonTreeNode(value, str(key), self._path_to(str(key)), self, row)
                for row, (key, value) in enumerate(pairs)
            ]
        return [
            JsonTreeNode(value, str(start + row), f"{self.path}[{start + row}]", self, row)
            for row, value in enumerate(self.value[start:end])
        ]

    def summary(self) -> str:
        """The value in one line; containers by their size."""
        if self._range is not None:
            return ""
        value = self.value
        if isinstance(value, str):
            shown = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
            return json.dumps(shown, ensure_ascii=False)
        if isinstance(value, (dict, list)):
            count = _length(value)
            return f"{{{count}}}" if _members(value) is not None else f"[{count}]"
        return json.dumps(value, default=str)[:_SHOWN]

    def shown_value(self) -> Any:
        """The value to copy: for a range only its part."""
        if self._range is None:
            return self.value
        start, end = self._range
        if (members := _members(self.value)) is not None:
            return dict(islice(members.items(), start, end))
        return self.value[start:end]

    def child_at(self, step: str | int) -> int | None:
        """The row below this one that is, or leads to, the child called `step`."""
        place = self._place_of(step)
        start, end = self._bounds()
        if place is None or not start <= place < end:
            return None
        count = end - start
        return place - start if count <= RANGE else (place - start) // _step(count)

    def _place_of(self, step: str | int) -> int | None:
        if (members := _members(self.value)) is None:
            is_inside = isinstance(step, int) and 0 <= step < _length(self.value)
            return step if isinstance(step, int) and is_inside else None
        return next((place for place, key in enumerate(members) if key == step), None)

    def _path_to(self, key: str) -> str:
        if not _PLAIN_NAME.match(key):
            return f"{self.path}[{json.dumps(key, ensure_ascii=False)}]"
        return f"{self.path}.{key}" if self.path else key

    def _bounds(self) -> tuple[int, int]:
        if self._range is not None:
            return self._range
        return 0, _length(self.value)

    def _ranges(self, start: int, end: int) -> list[JsonTreeNode]:
        step = _step(end - start)
        parts = [(low, min(low + step, end)) for low in range(start, end, step)]
        return [
            JsonTreeNode(self.value, f"{low} … {high - 1}", self.path, self, row, (low, high))
            for row, (low, high) in enumerate(parts)
        ]


def _members(value: Any) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _length(value: Any) -> int:
    return len(cast("list[Any]", value)) if isinstance(value, (dict, list)) else 0


def _step(count: int) -> int:
    step = RANGE
    while -(-count // step) > RANGE:
        step *= RANGE
    return step
