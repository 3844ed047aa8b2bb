"""Lists in columns of which one row is chosen as a whole: a tree without branches, and a table.

Must not fill them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from desktop.gui.theme.focus_rings import shows_ring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QTreeWidget

    from desktop.gui.theme import Theme

    Index = QModelIndex | QPersistentModelIndex


class RowTable(QTableView):
    """The ring of the keyboard is around the row, not around one of its cells."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()  # Qt paints the two cells alone

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        row = self.currentIndex().row()
        if row >= 0 and shows_ring(self):
            painter, width = QPainter(self.viewport()), self.viewport().width()
            painter.setPen(self._theme.color("focus"))
            painter.drawRect(0, self.rowViewportPosition(row), width - 1, self.rowHeight(row) - 1)
            painter.end()


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
