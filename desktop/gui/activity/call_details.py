"""One call in full: outcome, result, arguments without secrets, and a timeline of its steps.

Shows a logged call and follows it while it runs; runs nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from desktop.gui.activity import labels
from desktop.gui.results.result_view import ResultView
from desktop.gui.results.structured import pretty_json
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, issue_line
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import ColorName, Theme
    from desktop.redaction.redactor import Redaction
    from desktop.tool_types import CallStep
    from desktop.tools.call_log import LoggedCall

_STEP, _AT, _LINE = range(3)
_SPAN = Qt.ItemDataRole.UserRole
_DETAIL = 500
"""Characters of what a step has to say."""
_BAD = frozenset(("refused", "denied"))


class _SpanDelegate(QStyledItemDelegate):
    """Paints how much of the call's time a step took."""

    def __init__(self, theme: Theme, parent: QFrame) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        span: tuple[float, float] | None = index.data(_SPAN)
        if span is None:
            return
        room = QRectF(option.rect).adjusted(space(1), 0, -space(1), 0)
        left = room.left() + room.width() * span[0]
        width = max(float(space(0.5)), room.width() * (span[1] - span[0]))
        bar = QRectF(left, room.center().y() - space(1), width, space(2))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(bar, space(0.5), space(0.5))
        painter.restore()


class StepsView(Retranslated, QFrame):
    """One row for each step, with its details, if it has any, in the row below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._call: LoggedCall | None = None
        self._redaction: Redaction | None = None
        self._heading = QLabel()
        style(self._heading, "heading")
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
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(2), 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self._heading)
        column.addWidget(self.tree, 1)
        theme.changed.connect(self._fill)
        self._translate()

    def show_call(self, call: LoggedCall, redaction: Redaction) -> None:
        """Show the steps of a call so far."""
        self._call, self._redaction = call, redaction
        self._fill()

    def retranslate(self) -> None:
        self._translate()
        self._fill()

    def _fill(self) -> None:
        self.tree.clear()
        if (call := self._call) is None:
            return
        steps = call.steps
        now = time.monotonic() - call.began if call.seconds is None else 0.0
        whole = max(now, *(step.elapsed for step in steps), 1e-6)
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

    def _translate(self) -> None:
        self._heading.setText(self.tr("Steps"))
        self.tree.setAccessibleName(self.tr("Steps of the call"))
        self.tree.setHeaderLabels([self.tr("Step"), self.tr("At"), self.tr("Duration")])


class CallDetails(Retranslated, QFrame):
    """Shows one call and follows it while it runs, or says that none is selected."""

    open_call_requested = Signal(str, object)
    """The tool's key and the arguments as they were, to be run again."""

    def __init__(self, theme: Theme, redaction: Callable[[str], Redaction]) -> None:
        """Args: redaction: removes secrets from the texts of a server, by its name."""
        super().__init__()
        self._theme, self._redaction = theme, redaction
        self.call: LoggedCall | None = None
        self._shown: object = None
        self.title, self.state = ElidedLabel(), QLabel()
        style(self.title, "heading", "mono")
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        style(self.state, "badge")
        self.open_in_tools = QPushButton()
        set_icon(theme, self.open_in_tools, "tools", "text")
        self.open_in_tools.clicked.connect(self.open_again)
        self.result = ResultView(theme, self)
        self.arguments = TextView(theme, self, is_prose=False)
        self.no_result = _centred()
        self.result_stack = QStackedWidget()
        self.result_stack.addWidget(self.result)
        self.result_stack.addWidget(self.no_result)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.result_stack, "")
        self.tabs.addTab(self.arguments, "")
        self.steps = StepsView(theme)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._nothing = _centred()
        self._lay_out()
        self._translate()
        self.show_call(None)

    def show_call(self, call: LoggedCall | None) -> None:
        """Show another call, or the same call after a further step."""
        is_other = call is not self.call
        self.call = call
        for widget in (self.title, self.state, self.open_in_tools, self.splitter):
            widget.setVisible(call is not None)
        self._nothing.setVisible(call is None)
        if call is None:
            self._shown = None
            return
        redaction = self._redaction(call.call.key.partition(":")[0])
        if is_other:
            self._show_arguments(call, redaction)
        self._show_state(call)
        self._show_result(call, redaction, is_other=is_other)
        self.steps.show_call(call, redaction)

    def open_again(self) -> None:
        """Request the tool's form with the arguments of this call."""
        if self.call is not None:
            self.open_call_requested.emit(self.call.call.key, self.call.call.arguments)

    def retranslate(self) -> None:
        self._translate()
        QTimer.singleShot(0, self, self._make_views)  # after its children are retranslated

    def _make_views(self) -> None:
        """Build the views for result and text anew: they keep the language they were built in."""
        old = self.result, self.arguments
        chosen = self.tabs.currentIndex()
        self.result = ResultView(self._theme, self)
        self.arguments = TextView(self._theme, self, is_prose=False)
        self.result_stack.insertWidget(0, self.result)
        self.tabs.removeTab(1)
        self.tabs.addTab(self.arguments, self.tr("Arguments"))
        self.tabs.setCurrentIndex(chosen)
        for widget in old:
            widget.hide()
            widget.deleteLater()
        call, self.call = self.call, None
        self.show_call(call)

    def _show_state(self, call: LoggedCall) -> None:
        state = labels.call_state_label(call)
        self.title.show_text(labels.tool_label(call, self._redaction))
        style(self.state, "badge", *state.roles)
        self.state.setText(state.text)
        self.state.ensurePolished()  # only then its padding counts in the size
        self.state.updateGeometry()
        self.no_result.setText(
            self.tr("Still running.")
            if call.is_running
            else self.tr("This large result was dropped to make room for later ones.")
        )

    def _show_arguments(self, call: LoggedCall, redaction: Redaction) -> None:
        from desktop.redaction.redactor import redact_value

        value = redact_value(call.call.arguments, redaction)
        text = self.tr("Too large to show here.") if value is None else pretty_json(value)
        self.arguments.show_text(text, "arguments")

    def _show_result(self, call: LoggedCall, redaction: Redaction, *, is_other: bool) -> None:
        from desktop.redaction.redactor import redact_result

        if call.result is None:
            self.result_stack.setCurrentWidget(self.no_result)
        elif is_other or call.result is not self._shown:
            self.result.show_result(redact_result(call.result, redaction))
            self.result_stack.setCurrentWidget(self.result)
        self._shown = call.result

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.state, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.title, 1)
        row.addWidget(self.open_in_tools)
        left = QFrame()
        beside = QVBoxLayout(left)
        beside.setContentsMargins(0, 0, space(3), 0)
        beside.addWidget(self.tabs)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.steps)
        self.steps.setMinimumWidth(space(84))
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, 0)
        column.setSpacing(space(2))
        column.addLayout(row)
        column.addWidget(self.splitter, 1)
        column.addWidget(self._nothing, 1)

    def _translate(self) -> None:
        self._nothing.setText(self.tr("Select a call to see its result and steps."))
        self.open_in_tools.setText(self.tr("Open in Tools"))
        self.open_in_tools.setToolTip(self.tr("The form with these arguments (Ctrl+O)"))
        self.tabs.setTabText(0, self.tr("Result"))
        self.tabs.setTabText(1, self.tr("Arguments"))


def _centred() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    style(label, "muted")
    return label
