"""The numbers in a JSON value as a chart: bars for a few, a line for many.

What can be drawn is found without looking at more than a sample; the points are read when they are
looked at. Painted by hand, with as much work as there are pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.results.table import Table, cell_text, cell_value
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.labels import plain_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

Number: TypeAlias = float | None
"""None is a gap: a value that is missing or no number a picture can have."""

MAX_POINTS: Final = 100_000
_SAMPLE: Final = 500
_MAX_SERIES: Final = 30
_MAX_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class Series:
    """A list of numbers, or a column of a table; `name` is empty for a list that stands alone."""

    name: str
    rows: Sequence[Any]
    column: str = ""
    """The column to read; empty where the rows are the numbers themselves."""

    def points(self) -> list[Number]:
        """The numbers in their order, the first `MAX_POINTS` of them."""
        rows = self.rows[:MAX_POINTS]
        if not self.column:
            return [_number(row) for row in rows]
        return [_number(cell_value(row, self.column)) for row in rows]


@dataclass(frozen=True, slots=True)
class Chart:
    """What can be drawn of a value; `label_column` names the rows of a table."""

    series: tuple[Series, ...]
    label_column: str = field(default="")

    def label(self, series: Series, at: int) -> str:
        """What a point is called: a cell of its row, or its number."""
        if not self.label_column:
            return str(at)
        return cell_text(cell_value(series.rows[at], self.label_column), _MAX_NAME)


def chart_of(value: Any, table: Table | None) -> Chart | None:
    """A list of numbers, lists of numbers in an object, or the columns of numbers in a table."""
    if table is not None:
        names = [name for name in table.columns if _is_numeric(_column(table, name))]
        series = tuple(Series(name, table.rows, name) for name in names[:_MAX_SERIES])
        rest = (name for name in table.columns if name not in names)
        label = next((name for name in rest if _is_worded(_column(table, name))), "")
        return Chart(series, label) if series else None
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return Chart((Series("", items),)) if _is_numeric(_sample(items)) else None
    if not isinstance(value, dict):
        return None
    members = list(cast("dict[str, Any]", value).items())[:_SAMPLE]
    lists = [(name, cast("list[Any]", item)) for name, item in members if isinstance(item, list)]
    found = tuple(Series(name, item) for name, item in lists if _is_numeric(_sample(item)))
    return Chart(found[:_MAX_SERIES]) if found else None


def _sample(rows: Sequence[Any]) -> list[Any]:
    return list(rows[:: max(1, len(rows) // _SAMPLE)])


def _column(table: Table, name: str) -> list[Any]:
    return [cell_value(row, name) for row in _sample(table.rows)]


def _is_numeric(values: list[Any]) -> bool:
    """At least two numbers, and nothing else but gaps."""
    numbers = [value for value in values if _number(value) is not None]
    others: list[Any] = [one for one in values if isinstance(one, str | bool | list | dict)]
    return len(numbers) > 1 and not others


def _is_worded(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(value, str) for value in values)


def _number(value: Any) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        return None
    return number if math.isfinite(number) and abs(number) < _LARGEST else None


_LARGEST: Final = 1e300  # the difference of two such numbers is still a number


def ticks(low: float, high: float, count: int = 4) -> list[float]:
    """Round numbers from below `low` to above `high`, about `count` steps."""
    largest = max(abs(low), abs(high))
    span = max(high - low or abs(high) or 1.0, largest * 1e-6, 1e-200)  # more a picture has not
    size = 10.0 ** math.floor(math.log10(span / count))
    step = next(size * times for times in (1, 2, 5, 10) if span / (size * times) <= count)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [at * step for at in range(first, max(last, first + 1) + 1)]


_MAX_BARS: Final = 40
_EDGE: Final = space(2)
_TIP: Final = 3.0  # radius of the mark on a line, in pixels


class Plot(QWidget):
    """The picture; the pointer or an arrow key chooses a point, and `chosen` says which."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.points: list[Number] = []
        self.labels: list[str] = []
        """Names below the bars; none below a line."""
        self.current = -1
        self._ticks: list[float] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        style(self)
        theme.changed.connect(self.update)

    @property
    def has_bars(self) -> bool:
        return len(self.points) <= _MAX_BARS

    def show_points(self, points: list[Number], labels: list[str]) -> None:
        self.points, self.labels, self.current = points, labels, -1
        known = [point for point in points if point is not None]
        low, high = min(known, default=0.0), max(known, default=1.0)
        if self.has_bars:
            low, high = min(low, 0.0), max(high, 0.0)
        self._ticks = ticks(low, high)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(space(90), space(55))

    def minimumSizeHint(self) -> QSize:
        return QSize(space(40), space(30))

    def choose(self, at: int) -> None:
        if 0 <= at < len(self.points) and at != self.current:
            self.current = at
            self.update()
            self.chosen.emit(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        area = self._area()
        if area.width() > 0:
            share = (event.position().x() - area.left()) / area.width()
            self.choose(max(0, min(len(self.points) - 1, int(share * len(self.points)))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self.points) - 1}
        if event.key() in steps:
            self.choose(max(0, self.current + steps[Qt.Key(event.key())]))
        elif event.key() in ends:
            self.choose(ends[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPointSizeF(self._theme.sizes.small)
        painter.setFont(font)
        if self._ticks and self.points:
            self._paint_grid(painter)
            (self._paint_bars if self.has_bars else self._paint_line)(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _area(self) -> QRectF:
        """Where the points are: right of the numbers, above the names."""
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(f"{tick:g}") for tick in self._ticks), default=0)
        below = metrics.height() + space(1) if self.labels else _EDGE
        left, top = widest + 2 * _EDGE, _EDGE + metrics.height() / 2
        return QRectF(left, top, self.width() - left - _EDGE, self.height() - top - below)

    def _y(self, area: QRectF, value: float) -> float:
        low, high = self._ticks[0], self._ticks[-1]
        return area.bottom() - (value - low) / (high - low) * area.height()

    def _paint_grid(self, painter: QPainter) -> None:
        area, height = self._area(), self.fontMetrics().height()
        for tick in self._ticks:
            y = self._y(area, tick)
            painter.setPen(self._theme.color("border"))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._theme.color("muted"))
            room = QRectF(0, y - height / 2, area.left() - _EDGE, height)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight, f"{tick:g}")

    def _paint_bars(self, painter: QPainter) -> None:
        area = self._area()
        room = area.width() / len(self.points)
        zero = self._y(area, 0.0)
        for at, point in enumerate(self.points):
            left = area.left() + at * room
            if point is not None:
                color = "accent_hover" if at == self.current else "accent"
                y = self._y(area, point)
                bar = QRectF(left + room * 0.15, min(y, zero), room * 0.7, max(1.0, abs(y - zero)))
                painter.fillRect(bar, self._theme.color(color))
            if self.labels:
                self._paint_label(painter, at, QRectF(left, area.bottom(), room, space(6)))

    def _paint_label(self, painter: QPainter, at: int, room: QRectF) -> None:
        painter.setPen(self._theme.color("text" if at == self.current else "muted"))
        width = int(room.width()) - space(1)
        words = self.fontMetrics().elidedText(self.labels[at], Qt.TextElideMode.ElideRight, width)
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, words)

    def _paint_line(self, painter: QPainter) -> None:
        area = self._area()
        painter.setPen(QPen(self._theme.color("accent"), 1.5))
        for run in _runs(self.points, max(1, int(area.width()))):
            places = [QPointF(self._x(area, at), self._y(area, point)) for at, point in run]
            painter.drawPolyline(QPolygonF(places))
        point = self.points[self.current] if self.current >= 0 else None
        if point is not None:
            painter.setBrush(self._theme.color("accent"))
            painter.drawEllipse(
                QPointF(self._x(area, self.current), self._y(area, point)), _TIP, _TIP
            )

    def _x(self, area: QRectF, at: int) -> float:
        return area.left() + at / max(1, len(self.points) - 1) * area.width()


def _runs(points: list[Number], width: int) -> list[list[tuple[int, float]]]:
    """The points without gaps; of more than the pixels can show, the lowest and highest of each."""
    size = max(1, len(points) // width)
    runs: list[list[tuple[int, float]]] = [[]]
    for start in range(0, len(points), size):
        known = [
            (at, point)
            for at, point in enumerate(points[start : start + size], start)
            if point is not None
        ]
        if not known:
            runs.append([])
        elif size < 3:
            runs[-1] += known
        else:
            ends = {min(known, key=_value), max(known, key=_value)}
            runs[-1] += sorted(ends)
    return [run for run in runs if run]


def _value(point: tuple[int, float]) -> float:
    return point[1]


class ChartView(QWidget):
    """The picture of one series, the choice among several, and what the chosen point is."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self.chart: Chart | None = None
        self.plot = Plot(theme, self)
        self.readout = plain_line("", "small", "muted")
        self.chooser = QComboBox(self)
        self.chooser.setAccessibleName(self.tr("Which numbers"))
        self.chooser.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.chooser.setMinimumContentsLength(6)
        tools = ActionRow(self)
        self.bar = tools.bar
        tools.addWidget(self.chooser)
        tools.addStretch(1)
        in_column(self, self.bar, (self.plot, 1), self.readout, spacing=1)
        self.chooser.currentIndexChanged.connect(self._show_series)
        self.plot.chosen.connect(self._tell)

    def show_chart(self, chart: Chart | None) -> None:
        """Show the first series of `chart`; None: hold nothing."""
        self.chart = chart
        names = [] if chart is None else [series.name[:_MAX_NAME] for series in chart.series]
        self.chooser.blockSignals(True)
        self.chooser.clear()
        self.chooser.addItems(names)
        self.chooser.blockSignals(False)
        self.chooser.setVisible(len(names) > 1)
        self._show_series(0)

    def _show_series(self, at: int) -> None:
        if self.chart is None or at < 0:
            self.plot.show_points([], [])
            self.readout.clear()
            return
        series = self.chart.series[at]
        points = series.points()
        named = bool(self.chart.label_column) and len(points) <= _MAX_BARS
        labels = [self.chart.label(series, place) for place in range(len(points))] if named else []
        self.plot.show_points(points, labels)
        self._summarize(series, points)

    def _summarize(self, series: Series, points: list[Number]) -> None:
        known = [point for point in points if point is not None]
        facts = self.tr("{count} values from {low} to {high}, mean {mean}").format(
            count=f"{len(known):,}",
            low=f"{min(known, default=0):g}",
            high=f"{max(known, default=0):g}",
            mean=f"{math.fsum(known) / max(1, len(known)):g}",
        )
        left = len(series.rows) - len(points)
        more = self.tr("{count} more are not drawn").format(count=f"{left:,}") if left else ""
        words = " · ".join(filter(None, (series.name[:_MAX_NAME], facts, more)))
        self.readout.setText(words)
        self.plot.setAccessibleName(self.tr("Chart"))
        self.plot.setAccessibleDescription(words)

    def _tell(self, at: int) -> None:
        if self.chart is None:
            return
        series = self.chart.series[max(0, self.chooser.currentIndex())]
        point = self.plot.points[at]
        value = "–" if point is None else f"{point:g}"
        self.readout.setText(f"{self.chart.label(series, at)}: {value}")
