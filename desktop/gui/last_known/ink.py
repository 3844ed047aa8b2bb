"""Fills shapes and writes words in the colours of the theme, for the first paint.

`QPainter.setPen` and `setBrush` import the namespace `Qt` (13 ms) to find out what they are given.
Filled paths and a text layout, which have brushes of a palette, do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainterPath, QTextCharFormat, QTextLayout

from desktop.gui.widgets.letter_faces import brush_of

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QFont, QPainter

    from desktop.gui.theme import ColorName, Theme


class Ink:
    """The colours of one theme."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def fill(
        self, painter: QPainter, place: QRect | QRectF, color: ColorName, radius: float = 0
    ) -> None:
        """Fill a rectangle, with round corners where `radius` says so."""
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(place), radius, radius)
        painter.fillPath(shape, brush_of(self._theme.color(color)))

    def write(
        self,
        painter: QPainter,
        room: QRect,
        text: str,
        font: QFont,
        color: ColorName,
        *,
        is_centred: bool = False,
    ) -> None:
        """Write one line at the left of `room`, or in its middle."""
        look, whole = QTextCharFormat(), QTextLayout.FormatRange()
        look.setForeground(brush_of(self._theme.color(color)))
        whole.start, whole.length, whole.format = 0, len(text), look
        layout = QTextLayout(text, font)
        layout.setFormats([whole])
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        # In halves of a pixel, as `QPainter.drawText` does: whole ones stand one higher than it.
        left = (room.width() - line.naturalTextWidth()) / 2 if is_centred else 0
        top = (room.height() - line.height()) / 2
        layout.draw(painter, QPointF(room.left() + left, room.top() + top))

    def write_cut(
        self, painter: QPainter, room: QRect, text: str, font: QFont, color: ColorName
    ) -> None:
        """Write what of one line has room; nothing where there is none."""
        if text and not room.isEmpty():
            self.write(painter, room, _cut(text, font, room.width()), font, color)


def _cut(text: str, font: QFont, width: int) -> str:
    """As `QFontMetrics.elidedText` cuts it at the right, which would import `Qt`."""
    metrics = QFontMetricsF(font)
    if metrics.horizontalAdvance(text) <= width:
        return text
    room = width - metrics.horizontalAdvance("…")
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low]}…" if room >= 0 else ""
