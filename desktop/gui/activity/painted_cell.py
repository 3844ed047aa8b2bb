"""A cell of a table or tree that is painted over the background which its row has.

Paints nothing itself: `paint_content` of a subclass does. Must not know what a cell stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from desktop.gui.theme import Theme


class PaintedCell(QStyledItemDelegate):
    """Paints what a cell has under a role of its own; a cell without it is like any other."""

    def __init__(self, theme: Theme, parent: QObject, *, role: int) -> None:
        super().__init__(parent)
        self._theme, self._role = theme, role

    def paint_content(self, painter: QPainter, cell: QRectF, content: Any) -> None:
        """Paint, with smooth edges; pen and brush are put back afterwards."""
        raise NotImplementedError

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        if (content := index.data(self._role)) is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_content(painter, QRectF(option.rect), content)
        painter.restore()
