"""Rows of a list with a figure at their right end, which is whole or absent, never cut.

The name before it gives way. Must not know what the figure counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme

    Index = QModelIndex | QPersistentModelIndex

FIGURE_ROLE = Qt.ItemDataRole.UserRole + 1
_GAP = space(3)


class FigureDelegate(QStyledItemDelegate):
    """Draws what stands under `FIGURE_ROLE`, in the colour of secondary text."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        metrics = option.fontMetrics  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        room = self.text_room(option).width() - self._figure_room(option, index)
        option.text = metrics.elidedText(option.text, Qt.TextElideMode.ElideRight, max(room, 0))  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the list, which never scrolls sideways for a name."""
        return QSize(0, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        if self._figure_room(shown, index):
            self.draw_muted(
                painter,
                self.text_room(shown),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                str(index.data(FIGURE_ROLE)),
            )

    def room_behind(self, option: QStyleOptionViewItem, index: Index) -> QRect:
        """What is free between the text and the figure. `option` is an initialised one."""
        room = self.text_room(option)
        metrics = option.fontMetrics  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        room.setLeft(room.left() + metrics.horizontalAdvance(option.text) + space(5))  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        room.setRight(room.right() - self._figure_room(option, index))
        return room

    def draw_muted(
        self, painter: QPainter, room: QRect, alignment: Qt.AlignmentFlag, text: str
    ) -> None:
        """Draw a secondary text."""
        painter.save()
        painter.setPen(self._theme.color("muted"))
        painter.drawText(room, alignment, text)
        painter.restore()

    def text_room(self, option: QStyleOptionViewItem) -> QRect:
        """Where the text of a row stands; beside the box of a checked one."""
        widget: QWidget = option.widget  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        part = QStyle.SubElement.SE_ItemViewItemText
        return widget.style().subElementRect(part, option, widget).adjusted(0, 0, -space(1), 0)

    def _figure_room(self, option: QStyleOptionViewItem, index: Index) -> int:
        """Pixels of the figure and its distance; 0 where the name would be left with too little."""
        figure = str(index.data(FIGURE_ROLE) or "")
        if not figure:
            return 0
        metrics = option.fontMetrics  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        width = int(metrics.horizontalAdvance(figure)) + _GAP
        return width if 2 * width <= self.text_room(option).width() else 0
