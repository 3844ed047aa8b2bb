"""One call as a whole: what it was, its arguments, its result, and its steps where they are known.

Shows a record of the history, or a call of this run as it goes on; runs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.gui.activity import call_labels, message_labels
from desktop.gui.activity.history_model import summary_of_logged
from desktop.gui.form.model.json_text import write_json
from desktop.gui.layouts import STRETCH, in_column
from desktop.gui.results.result_view import ResultView
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, issue_line
from desktop.gui.widgets.arguments_view import CodePreview
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.labels import ElidedLabel, plain_label
from desktop.history.records import Record
from desktop.redaction.redactor import redact_result, redact_value
from desktop.values.tool_types import ToolResult

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from desktop.gui.theme import ColorName, Theme
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import LoggedCall
    from desktop.values.tool_types import CallStep, JsonObject

_ARGUMENTS_WIDTH = space(90)
_LEAST_LINES = 3  # of arguments, however low the window
_NO_RESULT = ToolResult(success=True)
_STEP, _AT, _LINE = range(3)
_SPAN = int(Qt.ItemDataRole.UserRole)
_DETAIL = 500
"""Characters of what a step has to say."""
_BAD = frozenset(("refused", "denied"))


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


def record_of_logged(call: LoggedCall, redaction: Redaction) -> Record:
    """A call of this run as the history would have it; without a result while it has none."""
    result = redact_result(call.result, redaction) if call.result is not None else _NO_RESULT
    arguments = redact_value(call.call.arguments, redaction)
    return Record(
        summary_of_logged(call, redaction),
        call.call.call_id,
        cast("JsonObject", arguments) if isinstance(arguments, dict) else None,
        replace(result, meta={}),
    )


class CallView(QWidget):
    """Arguments and steps on the left, the result on the right, and notes on what is missing."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.record: Record | None = None
        self.logged: LoggedCall | None = None
        self._redaction: Redaction | None = None
        self.facts = ElidedLabel()
        self.note, self.no_result = plain_label("", "warning", "small"), plain_label("", "muted")
        style(self.facts, "muted", "small")
        self.no_result.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.arguments = CodePreview(theme, "json", lines=_LEAST_LINES)
        self.steps = StepsView(theme)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.result = ResultView(theme)
        self.results = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self.tabs.setTabText(0, self.tr("Arguments"))
        self.tabs.setTabText(1, self.tr("Steps"))
        self._translate_no_result()

    def show_record(self, record: Record, logged: LoggedCall | None = None) -> None:
        """Show a call of the history; `logged` is what this run knows of it, if anything."""
        self.record, self.logged = record, logged
        text = "" if record.arguments is None else write_json(record.arguments)
        self._show_arguments(text, call_labels.record_notes(record))
        if logged is None or not logged.is_running or record.summary.id > 0:
            name = record.summary.key.partition(":")[2] or "result"
            self.result.show_result(record.result, name)
        self.results.setCurrentWidget(self.result)
        self._show_facts(record)
        self.tabs.setTabVisible(1, logged is not None)

    def show_logged(self, call: LoggedCall, redaction: Redaction) -> None:
        """Show a call that is only in memory: it runs, or could not be kept."""
        self._redaction = redaction
        self.show_record(record_of_logged(call, redaction), call)
        self.steps.show_call(call, redaction)
        if call.result is None:
            self.results.setCurrentWidget(self.no_result)
            self._translate_no_result()

    def show_steps(self, call: LoggedCall, redaction: Redaction) -> None:
        """Show the steps of the call, so far."""
        self._redaction = redaction
        self.steps.show_call(call, redaction)

    def _show_arguments(self, text: str, notes: list[str]) -> None:
        self.arguments.show_text(text)
        self.note.setText("\n".join(notes))
        self.note.setVisible(bool(notes))

    def _show_facts(self, record: Record) -> None:
        self.facts.show_text(call_labels.call_sentence(record.summary))

    def _lay_out(self) -> None:
        self.results.addWidget(self.result)
        self.results.addWidget(self.no_result)
        arguments = QWidget()
        in_column(arguments, (self.arguments, 100), self.note, STRETCH, margins=(0, 2, 0, 0))
        self.tabs.addTab(arguments, "")
        self.tabs.addTab(self.steps, "")
        left, right = QWidget(), QWidget()
        for side, widget in ((left, self.tabs), (right, self.results)):
            is_left = side is left
            in_column(side, widget, margins=(0 if is_left else 3, 0, 3 if is_left else 0, 0))
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_ARGUMENTS_WIDTH, 2 * _ARGUMENTS_WIDTH])
        in_column(self, self.facts, (self.splitter, 1), spacing=1)

    def _translate_no_result(self) -> None:
        call = self.logged
        if call is None or call.is_running:
            self.no_result.setText(self.tr("Still running."))
        else:
            self.no_result.setText(
                self.tr("This large result was dropped to make room for later ones.")
            )


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
        row = QTreeWidgetItem([call_labels.step_label(step.step), at])
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
        line = QTreeWidgetItem([message_labels.one_line(detail)])
        line.setForeground(_STEP, self._theme.color("muted"))
        row.addChild(line)
        line.setFirstColumnSpanned(True)
