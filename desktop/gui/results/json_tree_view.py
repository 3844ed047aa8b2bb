"""A JSON value as a tree: search, expanding to a level, copying of values, keys and paths."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMenu,
    QTreeView,
    QWidget,
)

from desktop.base.later_patterns import compile_later
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.results.saving import json_text, save_as
from desktop.gui.results.search import FindBar, SearchedView
from desktop.gui.results.structured import pretty_json
from desktop.gui.shortcuts import Shortcut, give, named_keys
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.action_row import ActionRow

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator, Sequence

    from desktop.gui.theme import ColorName
    from desktop.values.tool_types import JsonPath

MAX_ROWS = 2_000
"""Rows opened in one go: about 30 ms of work for the view."""
STEPS_PER_TURN = 200
"""Values looked at between two turns of the event loop."""
_LOOKED_AT = 1_000_000  # characters of one string


def expand_to(tree: QTreeView, model: JsonTreeModel, level: int) -> bool:
    """Open every row above `level` (1: what is in the root), the others stay shut.

    False where only the first `MAX_ROWS` rows were opened.
    """
    tree.setUpdatesEnabled(False)
    try:
        tree.collapseAll()
        rows, front = 0, [model.index(0, 0)]
        for _ in range(level):
            below: list[QModelIndex] = []
            for index in front:
                if not model.hasChildren(index):
                    continue
                model.fetchMore(index)
                count = model.rowCount(index)
                if rows and rows + count > MAX_ROWS:
                    return False
                rows += count
                tree.expand(index)
                below += [model.index(row, 0, index) for row in range(count)]
            front = below
        return True
    finally:
        tree.setUpdatesEnabled(True)


def reveal(tree: QTreeView, index: QModelIndex) -> None:
    """Open what is above `index`, go there and make it the current row."""
    above = index.parent()
    while above.isValid():
        tree.expand(above)
        above = above.parent()
    tree.setCurrentIndex(index)
    tree.scrollTo(index, tree.ScrollHint.PositionAtCenter)


_KEY_WIDTH = 60  # grid steps
_LEVELS = 3
_MAX_EXPANDED = 100


class JsonTreeView(SearchedView):
    """The tree, the path of the current row, and what can be done with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._value: Any = None
        self._name = "result"
        self.copying: asyncio.Task[None] | None = None
        # What was opened above the current row has its room a turn later.
        self._following = QTimer(self, singleShot=True, interval=0)
        self.model = JsonTreeModel(theme, self)
        self.tree = QTreeView(self)
        self.find_bar = FindBar(theme, self._search, self)
        self.path = QLabel(self)
        self.note = QLabel(self)
        self.copy_value = self._action(self.tr("Copy value"), self._copy_value, shortcuts.COPY)
        self.copy_path = self._action(self.tr("Copy path"), self._copy_path, shortcuts.COPY_PATH)
        self.copy_key = self._action(self.tr("Copy key"), self._copy_key, shortcuts.COPY_KEY)
        self._set_up_tree(theme)
        self._make_tools(theme)
        self._lay_out()
        theme.changed.connect(self.tree.viewport().update)

    def show_value(self, value: Any, name: str = "result") -> None:
        """Show `value` with its first level open; `name` is proposed when saving."""
        self._value, self._name = value, name
        self.note.hide()
        self.model.show_value(value)
        top = self.model.index(0, 0)
        self.tree.expand(top)
        self.tree.setCurrentIndex(top)
        self.find_bar.reset()

    def current_node(self) -> JsonTreeNode | None:
        return self.model.node(self.tree.currentIndex())

    def reveal(self, path: Sequence[str | int]) -> None:
        """Go to the value at `path`, or as near to it as there is something."""
        reveal(self.tree, self.model.index_of(path))

    def content_height(self, limit: int) -> int:
        """Pixels that the open rows need, looked at up to `limit`."""
        row = max(self.tree.sizeHintForRow(0), self.tree.fontMetrics().height())
        rows, index = 0, self.model.index(0, 0)
        while index.isValid() and rows * row <= limit:
            rows += 1
            index = self.tree.indexBelow(index)
        around = self.tree.header().sizeHint().height() + self.path.sizeHint().height() + space(5)
        if not self.find_bar.isHidden():
            around += self.find_bar.sizeHint().height() + space(1)
        return rows * row + around

    def _set_up_tree(self, theme: Theme) -> None:
        self.tree.setModel(self.model)
        self.tree.setUniformRowHeights(True)
        self.tree.setFont(theme.mono_font())
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setAccessibleName(self.tr("Structured result"))
        self.tree.setIndentation(space(4))
        self.tree.setColumnWidth(0, space(_KEY_WIDTH))
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.addActions([self.copy_value, self.copy_path, self.copy_key])
        self.tree.customContextMenuRequested.connect(self._open_menu)
        self.tree.selectionModel().currentChanged.connect(self._show_path)
        self.tree.selectionModel().currentChanged.connect(self._following.start)
        self._following.timeout.connect(self._follow)

    def _make_tools(self, theme: Theme) -> None:
        self.tools = ActionRow(self)
        self.levels = [
            self._action(self.tr("Level {number}").format(number=level), self._expander(level))
            for level in range(1, _LEVELS + 1)
        ]
        self.levels.append(self._action(self.tr("Expand all"), self._expander(_MAX_EXPANDED)))
        self.levels.append(self._action(self.tr("Collapse all"), self._expander(0)))
        self.expand = self.tools.menu(self.tr("Expand"), self.levels)
        self.tools.addStretch(1)
        self.tools.tool(theme, "search", named_keys(self.tr("Find (Ctrl+F)")), self.open_find)
        copies = [self.copy_value, self.copy_path, self.copy_key]
        self.tools.tool_menu(theme, "copy", self.tr("Copy"), copies)
        self.save = self.tools.tool(theme, "save", self.tr("Save…"), self._save)

    def _lay_out(self) -> None:
        for label, role in ((self.path, "mono"), (self.note, "small")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            style(label, "mono" if role == "mono" else "small", "muted")
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.path.setMinimumWidth(space(10))
        in_column(
            self, self.tools.bar, self.find_bar, (self.tree, 1), self.path, self.note, spacing=1
        )
        self.find_bar.reached.connect(self.reveal)
        self.find_bar.closed.connect(self.tree.setFocus)

    def _search(self, words: str) -> Iterator[JsonPath | None]:
        return find_in_json(self._value, words)

    def _expander(self, level: int) -> Callable[[], None]:
        return lambda: self._expand(level)

    def _expand(self, level: int) -> None:
        whole = expand_to(self.tree, self.model, level)
        words = self.tr("Too much to expand at once: only the first {count} rows are open.")
        self.note.setText("" if whole else words.format(count=MAX_ROWS))
        self.note.setVisible(not whole)

    def _show_path(self) -> None:
        node = self.current_node()
        self.path.setText((node.path or node.key)[:200] if node else "")

    def _follow(self) -> None:
        self.show_place(self.tree, self.tree.visualRect(self.tree.currentIndex()))

    def _copy_value(self) -> None:
        value: Any = None if (node := self.current_node()) is None else node.shown_value()
        if isinstance(value, (dict, list)):
            self.copying = bridge.run(self, self._copy(value), self.tr("Copy value"))
        else:
            QGuiApplication.clipboard().setText(
                value if isinstance(value, str) else pretty_json(value)
            )

    async def _copy(self, value: Any) -> None:
        """Written in turns: 100,000 items take half a second."""
        QGuiApplication.clipboard().setText(await json_text(value))

    def _copy_path(self) -> None:
        if (node := self.current_node()) is not None:
            QGuiApplication.clipboard().setText(node.path)

    def _copy_key(self) -> None:
        if (node := self.current_node()) is not None:
            QGuiApplication.clipboard().setText(node.key)

    def _save(self) -> None:
        value = self._value

        async def content() -> bytes:
            return (await json_text(value)).encode("utf-8", "replace")

        save_as(self, f"{self._name}.json", content)

    def _open_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.copy_value, self.copy_path, self.copy_key])
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _action(
        self, text: str, triggered: Callable[[], None], keys: Shortcut | None = None
    ) -> QAction:
        action = QAction(text, self)
        if keys is not None:
            give(action, keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(triggered)
        return action


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
_PLAIN_NAME = compile_later(r"[A-Za-z_$][\w$]*\Z", re.ASCII)


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
