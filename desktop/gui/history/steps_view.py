"""The steps of one call on its way, and how much of its time each took.

Follows a logged call while it runs; runs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem

from desktop.gui.activity import labels
from desktop.gui.history.painted_cell import PaintedCell
from desktop.gui.layouts import in_column
from desktop.gui.theme import space
from desktop.gui.translations import counted, issue_line
from desktop.gui.widgets.formatting import format_duration

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from desktop.gui.theme import ColorName, Theme
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import LoggedCall
    from desktop.values.tool_types import CallStep

_STEP, _AT, _LINE = range(3)
_SPAN = int(Qt.ItemDataRole.UserRole)
_DETAIL = 500
"""Characters of what a step has to say."""
_BAD = frozenset(("refused", "denied"))


class _SpanDelegate(PaintedCell):
    """Paints how much of the call's time a step took."""

    def __init__(self, theme: Theme, parent: QFrame) -> None:
        super().__init__(theme, parent, role=_SPAN)

    def paint_content(self, painter: QPainter, cell: QRectF, content: Any) -> None:
        span: tuple[float, float] = content
        room = cell.adjusted(space(1), 0, -space(1), 0)
        left = room.left() + room.width() * span[0]
        width = max(float(space(0.5)), room.width() * (span[1] - span[0]))
        bar = QRectF(left, room.center().y() - space(1), width, space(2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(bar, space(0.5), space(0.5))


class StepsView(QFrame):
    """One row for each step, with its details, if it has any, in the row below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._call: LoggedCall | None = None
        self._redaction: Redaction | None = None
        self.tree = QTreeWidget()
        self.tree.setColumnCount(3)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemsExpandable(False)
        self.tree.setIndentation(space(3))
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setItemDelegateForColumn(_LINE, _SpanDelegate(theme, self))
        header = self.tree.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(_STEP, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_AT, QHeaderView.ResizeMode.ResizeToContents)
        in_column(self, (self.tree, 1), margins=(0, 2, 0, 0))
        theme.changed.connect(self._fill)
        self.tree.setAccessibleName(self.tr("Steps of the call"))
        self.tree.setHeaderLabels([self.tr("Step"), self.tr("At"), self.tr("Duration")])

    def show_call(self, call: LoggedCall, redaction: Redaction) -> None:
        """Show the steps of a call so far."""
        self._call, self._redaction = call, redaction
        self._fill()

    def _fill(self) -> None:
        self.tree.clear()
        if (call := self._call) is None:
            return
        steps = call.steps
        whole = max(call.elapsed, *(step.elapsed for step in steps), 1e-6)
        for at, step in enumerate(steps):
            until = steps[at + 1].elapsed if at + 1 < len(steps) else whole
            self._add(step, (step.elapsed / whole, max(step.elapsed, until) / whole))
        if call.left_out:
            one = self.tr("1 more progress update")
            text = counted(call.left_out, one, self.tr("{count} more progress updates"))
            self.tree.addTopLevelItem(QTreeWidgetItem([text]))
        self.tree.scrollToBottom()

    def _add(self, step: CallStep, span: tuple[float, float]) -> None:
        at = f"+{format_duration(step.elapsed)}" if step.elapsed else "0"
        row = QTreeWidgetItem([labels.step_label(step.step), at])
        row.setTextAlignment(_AT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.setData(_LINE, _SPAN, span)
        color: ColorName = "danger" if step.step in _BAD else "text"
        row.setForeground(_STEP, self._theme.color(color))
        row.setForeground(_AT, self._theme.color("muted"))
        self.tree.addTopLevelItem(row)
        for text in (step.detail, *(issue_line(issue) for issue in step.issues)):
            if text:
                self._add_detail(row, text)
        row.setExpanded(True)

    def _add_detail(self, row: QTreeWidgetItem, text: str) -> None:
        detail = text[:_DETAIL] if self._redaction is None else self._redaction.text(text[:_DETAIL])
        line = QTreeWidgetItem([labels.one_line(detail)])
        line.setForeground(_STEP, self._theme.color("muted"))
        row.addChild(line)
        line.setFirstColumnSpanned(True)
