"""The waterfall in the list of calls: when each was made, how long it took, and how it ended.

Calls that follow each other closely share one scale, a burst: on a scale of days no call could be
seen. A bar tells its outcome by its shape and by its colour. Must not read the history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen, QPolygonF

from desktop.gui.activity.painted_cell import PaintedCell
from desktop.gui.theme import space
from desktop.gui.widgets.formatting import format_duration
from desktop.history.records import DONE
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.gui.theme import ColorName, Theme
    from desktop.history.records import Summary

Shape: TypeAlias = Literal["whole", "broken", "hollow", "diamond", "open"]
"""Succeeded; failed; cancelled; never sent; still running."""
RUNNING = "running"
WAITING = "waiting"
"""Outcomes of calls that have not ended: sent, or not approved yet."""
GAP = 30.0
"""Seconds without a call after which a new scale begins."""
LONGEST = 300.0
"""Seconds that one scale has at most, unless a single call takes longer."""
SHORTEST = 1.0
"""Seconds that one scale has at least: a short call looks short also where it is alone."""
BAR = int(Qt.ItemDataRole.UserRole) + 1
"""The role under which a cell has its `Bar`."""
_NOT_SENT = frozenset((ErrorCode.DENIED, ErrorCode.INVALID_ARGUMENTS, ErrorCode.NOT_FOUND))


class Burst:
    """Some calls on one scale; grows with the calls that join it."""

    __slots__ = ("end", "start")

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    @property
    def seconds(self) -> float:
        return max(SHORTEST, self.end - self.start)

    def takes(self, start: float, end: float) -> bool:
        """Whether an older call is near enough; it has joined then."""
        if self.start - end > GAP or self.end - start > LONGEST:
            return False
        self._grow(start, end)
        return True

    def takes_newer(self, newer: Burst) -> bool:
        """Whether the calls of a newer scale are near enough; they have joined then."""
        if newer.start - self.end > GAP or newer.end - self.start > LONGEST:
            return False
        self._grow(newer.start, newer.end)
        return True

    def _grow(self, start: float, end: float) -> None:
        self.start, self.end = min(self.start, start), max(self.end, end)


def times_of(call: Summary) -> tuple[float, float, float]:
    """When it was asked for, sent, and ended, in seconds since the epoch."""
    sent = call.at.timestamp()
    return sent - call.approval_wait, sent, sent + call.duration


def bursts_of(calls: Iterable[Summary], before: Burst | None = None) -> list[Burst]:
    """The burst of each call, the newest call first; `before` is that of a row above them."""
    found: list[Burst] = []
    burst = before
    for call in calls:
        start, _, end = times_of(call)
        if burst is None or not burst.takes(start, end):
            burst = Burst(start, end)
        found.append(burst)
    return found


class Bar(NamedTuple):
    """What is painted in one row: fractions of the width, and the scale where a burst begins."""

    asked: float
    sent: float
    ended: float
    shape: Shape
    tone: ColorName
    scale: str = ""


def bar_of(call: Summary, burst: Burst, tone: ColorName, *, is_first: bool) -> Bar:
    """The bar of a call; `is_first` of those on its scale."""
    asked, sent, ended = ((at - burst.start) / burst.seconds for at in times_of(call))
    scale = format_duration(burst.seconds) if is_first else ""
    return Bar(asked, sent, ended, shape_of(call), tone, scale)


def shape_of(call: Summary) -> Shape:
    """The shape that tells how it ended; a cancelled call without time was never sent."""
    if call.outcome in (RUNNING, WAITING):
        return "open"
    if call.outcome == DONE:
        return "whole"
    if call.outcome in _NOT_SENT or not call.duration:
        return "diamond"
    return "hollow" if call.outcome == ErrorCode.CANCELLED else "broken"


_THICK, _THIN = space(2.5), space(0.5)
_LEAST = float(space(1))


class WaterfallDelegate(PaintedCell):
    """Paints the bar of a cell."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(theme, parent, role=BAR)

    def paint_content(self, painter: QPainter, cell: QRectF, content: Any) -> None:
        bar: Bar = content
        room = cell.adjusted(space(2), 0, -space(5), 0)  # a cross stands beyond its bar
        left = _across(room, bar.sent)
        width = max(_LEAST, _across(room, bar.ended) - left)
        body = QRectF(left, cell.center().y() - _THICK / 2, width, _THICK)
        if bar.scale:
            self._paint_scale(painter, cell, room, bar)
        if bar.sent - bar.asked > 0:
            self._paint_wait(painter, _across(room, bar.asked), body)
        self._paint_body(painter, body, bar)

    def _paint_scale(self, painter: QPainter, cell: QRectF, room: QRectF, bar: Bar) -> None:
        """A line where another scale begins, and how long it is, where there is room for that."""
        painter.setPen(self._theme.color("border"))
        painter.drawLine(cell.topLeft(), cell.topRight())
        width = QFontMetricsF(painter.font()).horizontalAdvance(bar.scale) + space(2)
        where = QRectF(room)
        if room.left() + width <= _across(room, bar.asked):
            where.setWidth(width)
        elif _across(room, bar.ended) + width <= room.right():
            where.setLeft(room.right() - width)
        else:
            return
        painter.setPen(self._theme.color("muted"))
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, bar.scale)

    def _paint_wait(self, painter: QPainter, start: float, body: QRectF) -> None:
        pen = QPen(self._theme.color("warning"), _THIN, Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.drawLine(QPointF(start, body.center().y()), QPointF(body.left(), body.center().y()))

    def _paint_body(self, painter: QPainter, body: QRectF, bar: Bar) -> None:
        color = self._theme.color(bar.tone)
        painter.setPen(QPen(color, 1.5))
        painter.setBrush(QBrush(color))
        match bar.shape:
            case "whole":
                painter.drawRoundedRect(body, _THIN, _THIN)
            case "hollow":
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(body.adjusted(0, 1, 0, -1), _THIN, _THIN)
            case "broken":
                _paint_broken(painter, body)
            case "diamond":
                center = QPointF(body.left(), body.center().y())
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolygon(_diamond(center, _THICK / 2))
            case "open":
                painter.drawPolygon(_arrow(body))


def _across(room: QRectF, fraction: float) -> float:
    return room.left() + room.width() * min(1.0, max(0.0, fraction))


def _paint_broken(painter: QPainter, body: QRectF) -> None:
    """A bar, and behind it a cross where it broke off: over a short one it would hide it."""
    painter.drawRoundedRect(body, _THIN, _THIN)
    half = _THICK * 0.4
    x, y = body.right() + 2 * _THIN + half, body.center().y()
    painter.drawLine(QPointF(x - half, y - half), QPointF(x + half, y + half))
    painter.drawLine(QPointF(x - half, y + half), QPointF(x + half, y - half))


def _diamond(center: QPointF, half: float) -> QPolygonF:
    x, y = center.x(), center.y()
    points = (x - half, y), (x, y - half), (x + half, y), (x, y + half)
    return QPolygonF([QPointF(*point) for point in points])


def _arrow(body: QRectF) -> QPolygonF:
    """A bar whose end points on: it goes further."""
    tip = max(body.left(), body.right() - _THICK / 2)
    return QPolygonF(
        [
            body.topLeft(),
            QPointF(tip, body.top()),
            QPointF(max(body.right(), tip + _THICK / 2), body.center().y()),
            QPointF(tip, body.bottom()),
            body.bottomLeft(),
        ]
    )
