"""A JSON value as a tree: search, expanding to a level, copying of values, keys and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMenu,
    QTreeView,
    QWidget,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.results import json_tree
from desktop.gui.results.json_tree import JsonTreeModel
from desktop.gui.results.saving import json_text, save_as
from desktop.gui.results.search import FindBar, SearchedView
from desktop.gui.results.structured import pretty_json
from desktop.gui.shortcuts import Shortcut, give
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.action_row import ActionRow

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtCore import QModelIndex

    from desktop.gui.results.json_tree import JsonTreeNode

MAX_ROWS = 2_000
"""Rows opened in one go: about 30 ms of work for the view."""
MAX_FITTED = 100
"""Rows whose height counts for that of the tree."""


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

    def content_height(self) -> int:
        """Pixels that the open rows need, the first `MAX_FITTED` of them."""
        rows, index = 0, self.model.index(0, 0)
        while index.isValid() and rows < MAX_FITTED:
            rows += 1
            index = self.tree.indexBelow(index)
        row = max(self.tree.sizeHintForRow(0), self.tree.fontMetrics().height())
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
        self.tools.tool(theme, "search", self.tr("Find (Ctrl+F)"), self.open_find)
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

    def _search(self, words: str) -> Iterator[json_tree.JsonPath | None]:
        return json_tree.find_in_json(self._value, words)

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
