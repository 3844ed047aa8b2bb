"""A list in columns, made of a tree without branches: one row is chosen as a whole.

Must not fill it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QTreeWidget


def make_flat(tree: QTreeWidget, widths: Sequence[int], stretched: int) -> None:
    """Give `tree` as many columns as there are `widths`; the column `stretched` takes the rest."""
    tree.setColumnCount(len(widths))
    tree.setRootIsDecorated(False)
    tree.setUniformRowHeights(True)
    tree.setAllColumnsShowFocus(True)
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    header = tree.header()
    header.setStretchLastSection(False)
    for column, width in enumerate(widths):
        header.resizeSection(column, width)
    header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
