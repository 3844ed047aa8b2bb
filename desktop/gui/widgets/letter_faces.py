"""The face of a server that has no icon of its own: a letter in a colour of its own.

Runs before the first paint: imports next to nothing, not even the namespace `Qt`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPainterPath, QPalette, QPixmap

from desktop.gui.theme import CLEAR

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from desktop.gui.theme import Theme


def letter_of(name: str) -> str:
    """The first letter that tells: "G" of `mcp-server-git`."""
    words = "".join(character if character.isalnum() else " " for character in name[:200]).split()
    telling = [word for word in words if word.lower() not in {"mcp", "server"}]
    return next(iter(telling or words), "•")[0].upper()[:1]


def empty_face(size: int, ratio: float) -> tuple[QPixmap, QPainterPath]:
    """A clear picture of `size` logical pixels a side, and the shape that a face has in it."""
    drawn = QPixmap(round(size * ratio), round(size * ratio))
    drawn.fill(CLEAR)
    drawn.setDevicePixelRatio(ratio)
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(0, 0, size, size), size / 4, size / 4)
    return drawn, shape


def draw_letter(painter: QPainter, theme: Theme, server: str, shape: QPainterPath) -> None:
    behind, letter = theme.face_colors(crc32(server.encode("utf-8", "replace")))
    painter.fillPath(shape, _brush_of(behind))
    font = theme.strong_font()
    font.setPixelSize(max(1, round(shape.boundingRect().height() * 0.6)))
    words, metrics = letter_of(server), QFontMetrics(font)
    drawn, room = QPainterPath(), shape.boundingRect()
    left = room.center().x() - metrics.horizontalAdvance(words) / 2
    drawn.addText(left, room.center().y() + (metrics.ascent() - metrics.descent()) / 2, font, words)
    painter.fillPath(drawn, _brush_of(letter))


def _brush_of(color: QColor) -> QBrush:
    """A brush of this colour; making one from it would import `Qt`."""
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, color)
    return palette.window()


def letter_face(theme: Theme, server: str, size: int) -> QPixmap:
    """The face with `size` logical pixels a side, in the colours of the moment."""
    drawn, shape = empty_face(size, theme.pixel_ratio)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_letter(painter, theme, server, shape)
    painter.end()
    return drawn
