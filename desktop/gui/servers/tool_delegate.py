"""Draws a line of the tool list: the name, and behind it what the tool says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QListView, QWidget

    from desktop.gui.theme import Theme

    Index = QModelIndex | QPersistentModelIndex

SAID = Qt.ItemDataRole.UserRole


class ToolSwitchDelegate(QStyledItemDelegate):
    """Draws what the tool says of itself behind its name, in the colour of secondary text."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        said = str(index.data(SAID))
        if not said:
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        widget: QWidget = shown.widget  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        part = QStyle.SubElement.SE_ItemViewItemText
        room = widget.style().subElementRect(part, shown, widget)
        metrics = shown.fontMetrics  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        room.setLeft(room.left() + metrics.horizontalAdvance(shown.text) + space(5))  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        text = metrics.elidedText(said, Qt.TextElideMode.ElideRight, room.width())
        painter.save()
        painter.setPen(self._theme.color("muted"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()
