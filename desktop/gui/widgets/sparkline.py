"""A small line of the last measurements, drawn without axes: how something went lately."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from desktop.gui.theme import ColorName, Theme

MAX_SAMPLES = 60
"""Measurements that are kept, by default two minutes of them."""
_FEWEST = 20
"""Values that fill the width; with fewer ones the line begins further right."""
_HEIGHT = space(5)
_PEN = 1.5


class Sparkline(QWidget):
    """The last `MAX_SAMPLES` values from left to right; the newest is at the right edge.

    The lowest value lies on the ground unless `from_zero`: of a process of 60 MB the growth is
    seen, of one that does nothing a flat line. Draws only when a value has come.
    """

    def __init__(
        self, theme: Theme, color: ColorName, *, from_zero: bool = False, least: float = 1.0
    ) -> None:
        """Args: least: the smallest span that fills the height, so that noise stays small."""
        super().__init__()
        self._theme = theme
        self._color: ColorName = color
        self._from_zero, self._least = from_zero, least
        self.values: deque[float] = deque(maxlen=MAX_SAMPLES)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def add(self, value: float) -> None:
        """Take a measurement; the oldest one goes where there are too many."""
        before = tuple(self.values)
        self.values.append(value)
        if before != tuple(self.values):  # a line that stays as it is costs no painting
            self.update()

    def clear(self) -> None:
        if self.values:
            self.values.clear()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(space(24), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(space(10), _HEIGHT)

    def points(self) -> list[QPointF]:
        """Where the values lie in the widget."""
        if len(self.values) < 2:
            return []
        inside = QRectF(self.rect()).adjusted(_PEN, _PEN, -_PEN, -_PEN)
        low, high = (0.0 if self._from_zero else min(self.values)), max(self.values)
        span = max(high - low, self._least)
        step = inside.width() / (max(len(self.values), _FEWEST) - 1)
        first = inside.right() - step * (len(self.values) - 1)
        return [
            QPointF(first + step * n, inside.bottom() - inside.height() * (value - low) / span)
            for n, value in enumerate(self.values)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        points = self.points()
        if not points:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._theme.color(self._color)
        painter.setPen(QPen(color, _PEN))
        painter.drawPolyline(QPolygonF(points))
        floor = float(self.height()) - _PEN
        color.setAlphaF(0.12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        ends = QPointF(points[-1].x(), floor), QPointF(points[0].x(), floor)
        painter.drawPolygon(QPolygonF([*points, *ends]))
