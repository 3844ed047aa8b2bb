"""A JSON value as the model of a tree view, and the search in it.

Nothing below a node exists before it is opened, so a value of any size costs nothing unseen; long
arrays and objects are divided into ranges.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.gui import bridge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.gui.theme import ColorName, Theme
    from desktop.values.tool_types import JsonPath

STEPS_PER_TURN = 200
"""Values looked at between two turns of the event loop."""
_LOOKED_AT = 1_000_000  # characters of one string


def find_in_json(value: Any, words: str) -> Iterator[JsonPath | None]:
    """The path of each value whose key or own text has `words` in it, from the top down.

    Large and small letters are alike. None comes after some values without a match.
    """
    wanted = words.lower()
    for steps, (path, item) in enumerate(_walk(value), 1):
        if _contains(path, item, wanted):
            yield path
        if steps % STEPS_PER_TURN == 0:
            yield None


def _walk(value: Any) -> Iterator[tuple[JsonPath, Any]]:
    """Every value with its path, parents first; a stack of its own, for values of any depth."""
    levels: list[tuple[JsonPath, Iterator[tuple[str | int, Any]]]] = [((), _inside(value))]
    yield (), value
    while levels:
        path, items = levels[-1]
        if (step := next(items, None)) is None:
            levels.pop()
            continue
        key, item = step
        below = (*path, key)
        yield below, item
        if isinstance(item, (dict, list)):
            levels.append((below, _inside(item)))


def _inside(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        yield from enumerate(cast("list[Any]", value))


def _contains(path: JsonPath, item: Any, wanted: str) -> bool:
    if path and isinstance(path[-1], str) and wanted in path[-1].lower():
        return True
    if isinstance(item, str):
        return wanted in item[:_LOOKED_AT].lower()
    if isinstance(item, (dict, list)):
        return False
    return wanted in json.dumps(item, default=str).lower()


MAX_CHILDREN = 500
"""Rows opened at once: about 5 ms of work for the view."""

_MAX_SHOWN_LENGTH = 300
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
        return count if count <= MAX_CHILDREN else -(-count // _step(count))

    def open(self) -> list[JsonTreeNode]:
        """Make the children; the caller puts them in `children` when its view is ready."""
        start, end = self._bounds()
        if end - start > MAX_CHILDREN:
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
            shown = value if len(value) <= _MAX_SHOWN_LENGTH else value[:_MAX_SHOWN_LENGTH] + "…"
            return json.dumps(shown, ensure_ascii=False)
        if isinstance(value, (dict, list)):
            count = _length(value)
            return f"{{{count}}}" if _members(value) is not None else f"[{count}]"
        return json.dumps(value, default=str)[:_MAX_SHOWN_LENGTH]

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
        return place - start if count <= MAX_CHILDREN else (place - start) // _step(count)

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
    step = MAX_CHILDREN
    while -(-count // step) > MAX_CHILDREN:
        step *= MAX_CHILDREN
    return step


Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_KEY, _VALUE = 0, 1


class JsonTreeModel(QAbstractItemModel):
    """Two columns, key and value; children come with `fetchMore` when a row is opened."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._theme = theme
        self._root = JsonTreeNode(None)
        self._top: list[JsonTreeNode] = []

    def show_value(self, value: Any) -> None:
        self.beginResetModel()
        self._root = JsonTreeNode(value)
        self._top = [self._root]
        self.endResetModel()

    def node(self, index: Index) -> JsonTreeNode | None:
        return index.internalPointer() if index.isValid() else None

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        rows = self._rows(parent)
        return self.createIndex(row, column, rows[row]) if row < len(rows) else QModelIndex()

    def parent(self, child: Index = _ROOT) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        node = self.node(child)
        above = node.parent if node is not None else None
        return QModelIndex() if above is None else self.createIndex(above.row, _KEY, above)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return len(self._rows(parent)) if parent.column() <= 0 else 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 2

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        node = self.node(parent)
        return bool(self._top) if node is None else node.child_count > 0

    def canFetchMore(self, parent: Index) -> bool:
        node = self.node(parent)
        return node is not None and node.children is None and node.child_count > 0

    def fetchMore(self, parent: Index) -> None:
        node = self.node(parent)
        if node is None or node.children is not None:
            return
        children = node.open()
        self.beginInsertRows(self.createIndex(node.row, _KEY, node), 0, len(children) - 1)
        node.children = children
        self.endInsertRows()

    def index_of(self, path: Sequence[str | int]) -> QModelIndex:
        """The row of the value at `path`, opened down to it; the nearest above where it is not."""
        index = self.index(0, _KEY)
        for step in path:
            while (node := self.node(index)) is not None:
                row = node.child_at(step)
                if row is None:
                    return index
                self.fetchMore(index)
                index = self.index(row, _KEY, index)
                below = self.node(index)
                if below is None or not below.is_range:
                    break
        return index

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return self.tr("Key") if section == _KEY else self.tr("Value")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return node.key if index.column() == _KEY else node.summary()
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.color(_color_of(node, index.column()))
        return None

    def _rows(self, parent: Index) -> list[JsonTreeNode]:
        node = self.node(parent)
        return self._top if node is None else node.children or []


def _color_of(node: JsonTreeNode, column: int) -> ColorName:
    if column == _KEY:
        return "muted" if node.is_range else "text"
    match node.value:
        case str():
            return "success"
        case bool() | None:
            return "warning"
        case int() | float():
            return "accent"
        case _:
            return "muted"
