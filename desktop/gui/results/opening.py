"""Opens a tree to a level, or a value of it, within what a view takes without a pause."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QTreeView

    from desktop.gui.results.json_tree_model import JsonTreeModel

MOST_ROWS = 2_000
"""Rows opened in one go: about 30 ms of work for the view."""


def expand_to(tree: QTreeView, model: JsonTreeModel, level: int) -> bool:
    """Open every row above `level` (1: what is in the root), the others stay shut.

    False where only the first `MOST_ROWS` rows were opened.
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
                if rows and rows + count > MOST_ROWS:
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
