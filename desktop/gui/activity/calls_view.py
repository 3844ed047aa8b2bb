"""The calls of this run, live: a table with the latest last, above the details of the selected one.

Updates only while it is visible. Must not run or record a call.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QByteArray,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSettings,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.activity import labels
from desktop.gui.activity.call_details import CallDetails
from desktop.gui.activity.export import SaveExportDialog, export_as
from desktop.gui.activity.log_table import LogTable
from desktop.gui.shortcuts import bind
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.retranslation import Retranslated
from desktop.gui.widgets.styled_text import origin_label

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from PySide6.QtGui import QFocusEvent, QHideEvent, QShowEvent

    from desktop.gui.theme import ColorName, Theme
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import CallLog, LoggedCall

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, TOOL, ORIGIN, STATE, DURATION = range(5)
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CallsModel(QAbstractTableModel):
    """Five columns: time, tool, who called, state, duration."""

    def __init__(
        self, theme: Theme, redaction: Callable[[str], Redaction], parent: QObject | None = None
    ) -> None:
        """Args: redaction: removes secrets from the texts of a server, by its name."""
        super().__init__(parent)
        self._theme, self._redaction = theme, redaction
        self._font = theme.mono_font()
        self._titles: tuple[str, ...] = ("",) * 5
        self.rows: list[LoggedCall] = []

    def show_calls(self, calls: Collection[LoggedCall]) -> None:
        """Show these calls, oldest first: remove rows that are gone, append new ones."""
        first = next(iter(calls)).number if calls else None
        numbers = {call.number for call in calls}
        for row in reversed(range(len(self.rows))):
            if first is None or self.rows[row].number not in numbers:
                self.beginRemoveRows(_ROOT, row, row)
                del self.rows[row]
                self.endRemoveRows()
        last = self.rows[-1].number if self.rows else 0
        fresh = [call for call in calls if call.number > last]
        if fresh:
            at = len(self.rows)
            self.beginInsertRows(_ROOT, at, at + len(fresh) - 1)
            self.rows += fresh
            self.endInsertRows()

    def redraw_calls(self, numbers: Collection[int]) -> None:
        """Redraw the rows of these calls, which went on or ended."""
        for number in numbers:
            if (row := self.row_of(number)) is not None:
                self.dataChanged.emit(self.index(row, STATE), self.index(row, DURATION))

    def row_of(self, number: int) -> int | None:
        row = bisect_left(self.rows, number, key=attrgetter("number"))
        return row if row < len(self.rows) and self.rows[row].number == number else None

    def set_titles(self, titles: tuple[str, ...]) -> None:
        self._titles = titles
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(titles) - 1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 5

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section == DURATION:
            return _RIGHT
        return self._titles[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        call, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(call, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.color(_color(call, column))
        if role == Qt.ItemDataRole.TextAlignmentRole and column == DURATION:
            return _RIGHT
        return self._font if role == Qt.ItemDataRole.FontRole and column == TOOL else None

    def _text(self, call: LoggedCall, column: int) -> str:
        if column == TIME:
            return labels.time_label(call.at)
        if column == TOOL:
            return labels.tool_label(call, self._redaction)
        if column == ORIGIN:
            return origin_label(call.call.origin)
        if column == STATE:
            return labels.call_state_label(call).text
        seconds = call.seconds
        return format_duration(time.monotonic() - call.began if seconds is None else seconds)


def _color(call: LoggedCall, column: int) -> ColorName:
    if column == STATE:
        return labels.call_state_label(call).tone
    return "text" if column == TOOL else "muted"


_BATCH_MS = 40
_CLOCK_MS = 200
"""How often the duration of a call that runs is told."""
_WIDTHS = (31, 0, 24, 32, 24)
_COLUMNS, _ROWS, _SIDES = "activity/calls/columns", "activity/calls/rows", "activity/calls/sides"


class CallsView(Retranslated, QFrame):
    """A table of calls above the details of the selected one; updates only while visible."""

    open_call_requested = Signal(str, object)
    tools_requested = Signal()
    exported = Signal(str, int)

    def __init__(
        self,
        theme: Theme,
        calls: CallLog,
        redaction: Callable[[str], Redaction],
        settings: QSettings,
    ) -> None:
        super().__init__()
        self._calls, self._redaction, self._settings = calls, redaction, settings
        self._changed: set[int] = set()
        self.model = CallsModel(theme, redaction, self)
        self.table = LogTable(theme, self.model, settings, _COLUMNS, _WIDTHS)
        self.details = CallDetails(theme, redaction)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.count = QLabel()
        self.clear, self.export = QPushButton(), QPushButton()
        set_icon(theme, self.clear, "trash", "muted")
        guard_focus(self.clear)
        set_icon(theme, self.export, "save", "muted")
        self.empty = EmptyState(theme, "play", "", "")
        self.to_tools = self.empty.add_button("", self.tools_requested.emit, "tools")
        self.stack = QStackedWidget()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._soon = QTimer(self, singleShot=True, interval=_BATCH_MS)
        self._clock = QTimer(self, interval=_CLOCK_MS)
        self._lay_out()
        self._connect()
        self._translate()
        self.refresh()

    def refresh(self) -> None:
        """Show what happened since the last refresh."""
        self._soon.stop()
        self.model.show_calls(self._calls.calls.values())
        self.model.redraw_calls(self._changed)
        shown = self.details.call
        if shown is not None and shown.number in self._changed:
            self.details.show_call(shown)
        self._changed.clear()
        if not self.table.currentIndex().isValid() and self.model.rows:
            self.table.select_row(len(self.model.rows) - 1)
        self.stack.setCurrentWidget(self.splitter if self.model.rows else self.empty)
        self._show_counts()

    def export_calls(self) -> SaveExportDialog:
        """Ask for a file and write all calls of the log to it."""
        return export_as(self, "calls", self._lines, self.exported.emit)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        target = self.table if self.model.rows else self.to_tools
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()
        self._soon.stop()

    def retranslate(self) -> None:
        self._translate()
        self._show_counts()

    def _lines(self) -> Iterable[str]:
        from desktop.gui.activity.export import json_lines

        return json_lines(list(self._calls.calls.values()), self._redaction)

    def _mark_changed(self, call: LoggedCall) -> None:
        self._changed.add(call.number)
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def _tick(self) -> None:
        self.model.redraw_calls([call.number for call in self.model.rows if call.is_running])
        if (call := self.details.call) is not None and call.is_running:
            self.details.show_call(call)

    def _show_counts(self) -> None:
        total = len(self.model.rows)
        running = sum(call.is_running for call in self.model.rows)
        text = counted(total, self.tr("1 call"), self.tr("{count} calls"))
        if running:
            text += " · " + self.tr("{count} running").format(count=f"{running:,}")
        self.count.setText(text if total else "")
        self.clear.setEnabled(total > running)
        self.export.setEnabled(total > 0)

    def _show_current(self) -> None:
        row = self.table.currentIndex().row()
        self.details.show_call(self.model.rows[row] if row >= 0 else None)

    def _clear(self) -> None:
        self._calls.clear()
        self.refresh()

    def _connect(self) -> None:
        bridge.connect(self, self._calls.changed, self._mark_changed)
        self._soon.timeout.connect(self.refresh)
        self._clock.timeout.connect(self._tick)
        self.clear.clicked.connect(self._clear)
        self.export.clicked.connect(self.export_calls)
        self.table.selectionModel().currentChanged.connect(lambda: self._show_current())
        self.table.activated.connect(lambda: self.details.open_again())
        self.details.open_call_requested.connect(self.open_call_requested)
        for splitter, name in ((self.splitter, _ROWS), (self.details.splitter, _SIDES)):
            self._remember(splitter, name)
        bind(self, shortcuts.OPEN_CALL, self.details.open_again)
        bind(self, shortcuts.CLEAR_LIST, self._clear)
        bind(self, shortcuts.EXPORT, self.export_calls)

    def _remember(self, splitter: QSplitter, name: str) -> None:
        if isinstance(saved := self._settings.value(name), QByteArray):
            splitter.restoreState(saved)
        splitter.splitterMoved.connect(lambda: self._settings.setValue(name, splitter.saveState()))

    def _lay_out(self) -> None:
        style(self.count, "muted", "small")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.count, 1)
        row.addWidget(self.clear)
        row.addWidget(self.export)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.details)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([space(70), space(90)])
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(3), 0, 0)
        column.setSpacing(space(2))
        column.addLayout(row)
        column.addWidget(self.stack, 1)

    def _translate(self) -> None:
        self.table.setAccessibleName(self.tr("Calls of this run"))
        titles = self.tr("Time"), self.tr("Tool"), self.tr("Called by"), self.tr("State")
        self.model.set_titles((*titles, self.tr("Duration")))
        self.clear.setText(self.tr("Clear"))
        self.clear.setToolTip("Ctrl+L")
        self.export.setText(self.tr("Export…"))
        self.export.setToolTip("Ctrl+S")
        self.empty.set_text(
            self.tr("No calls yet"),
            self.tr("Calls made by you or an agent appear here, step by step."),
        )
        self.to_tools.setText(self.tr("Go to Tools"))
