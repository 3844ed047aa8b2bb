"""The rows of the list of calls: those that are not in the history yet, above those that are.

Every row is a `Summary`; one that is only in memory has a negative id. Must not read the history.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from desktop.gui.activity import call_labels
from desktop.gui.activity.call_labels import RUNNING, WAITING
from desktop.gui.theme import space
from desktop.gui.widgets.labels import plain_tip
from desktop.gui.widgets.server_faces import face
from desktop.history.records import DONE, Summary
from desktop.redaction.redactor import redact_bounded, redact_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from desktop.gui.theme import ColorName, Theme
    from desktop.history.records import CallPage
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import LoggedCall

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, ORIGIN, TOOL, ARGUMENTS, OUTCOME, DURATION = range(6)
COLUMNS = 6
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NOWHERE = QModelIndex()
_TOOLTIP = 400
_SHORT = 300


def summary_of_logged(call: LoggedCall, redaction: Redaction) -> Summary:
    """A call of this run as it is by now, without secrets."""
    result = call.result
    waited = result.approval_wait if result is not None else 0.0
    if call.is_waiting_for_approval and call.asked is not None:
        waited = call.elapsed - call.asked
    elif call.is_running and call.asked is not None and call.sent is not None:
        waited = call.sent - call.asked
    at = call.at + (call.elapsed - call.duration)
    outcome = call.outcome or (WAITING if call.is_waiting_for_approval else RUNNING)
    error = result.error if result is not None else None
    return Summary(
        id=-call.number,
        key=redact_bounded(call.call.key, redaction),
        at=datetime.fromtimestamp(at, UTC),
        duration=call.duration,
        origin=call.call.origin,
        outcome=DONE if outcome == "success" else outcome,
        arguments=_short_json(redact_value(call.call.arguments, redaction)),
        message=redact_bounded(error.message, redaction)[:_SHORT] if error is not None else "",
        call_id=call.call.call_id,
        model=call.call.model,
        approval_wait=waited,
    )


def _short_json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)[:_SHORT]
    except (RecursionError, ValueError):
        return ""


class HistoryModel(QAbstractTableModel):
    """Six columns; the latest call first."""

    more_requested = Signal()
    """The view was scrolled to the last row that is loaded."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: tuple[str, ...] = ("",) * COLUMNS
        self._live: list[Summary] = []
        self._stored: list[Summary] = []
        self.total = 0
        """How many calls of this search the history has."""

    @property
    def calls(self) -> tuple[Summary, ...]:
        return (*self._live, *self._stored)

    @property
    def live(self) -> tuple[Summary, ...]:
        """The rows of calls that are not in the history, or not yet."""
        return tuple(self._live)

    @property
    def stored(self) -> tuple[Summary, ...]:
        return tuple(self._stored)

    def show_live(self, calls: Sequence[Summary]) -> None:
        """Show these calls above the stored ones, the latest first."""
        wanted = {call.id: call for call in calls}
        for row in reversed(range(len(self._live))):
            if self._live[row].id not in wanted:
                self.beginRemoveRows(_NOWHERE, row, row)
                del self._live[row]
                self.endRemoveRows()
        known = {call.id for call in self._live}
        fresh = [call for call in calls if call.id not in known]
        if fresh:
            self.beginInsertRows(_NOWHERE, 0, len(fresh) - 1)
            self._live[:0] = fresh
            self.endInsertRows()
        self._live = [wanted[call.id] for call in self._live]
        if self._live:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._live) - 1, COLUMNS - 1))

    def show_page(self, page: CallPage) -> bool:
        """Show these calls from the top. Returns whether the rows that stay kept their place."""
        self.total = page.total
        fresh = self._fresh(page)
        if fresh is None:
            self.beginResetModel()
            self._stored = list(page.calls)
            self.endResetModel()
            return False
        if fresh:
            at = len(self._live)
            self.beginInsertRows(_NOWHERE, at, at + len(fresh) - 1)
            self._stored[:0] = fresh
            self.endInsertRows()
        return True

    def add_page(self, page: CallPage) -> None:
        """Append older calls below."""
        self.total = page.total
        if page.calls:
            first = self.rowCount()
            self.beginInsertRows(_NOWHERE, first, first + len(page.calls) - 1)
            self._stored += page.calls
            self.endInsertRows()

    def call_at(self, index: Index) -> Summary | None:
        return self._at(index.row()) if index.isValid() else None

    def row_of(self, number: int) -> int:
        """The row of a call; -1 if it is not shown."""
        return next((row for row, call in enumerate(self.calls) if call.id == number), -1)

    def row_of_stored(self, call: Summary) -> int:
        """The row of a call that has come into the history since; -1 if it is not shown."""
        for row, one in enumerate(self._stored, len(self._live)):
            if (one.call_id, one.key) == (call.call_id, call.key):
                return row
        return -1

    def set_titles(self, titles: tuple[str, ...]) -> None:
        self._titles = titles
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, COLUMNS - 1)
        if rows := self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, COLUMNS - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._live) + len(self._stored)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else COLUMNS

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and len(self._stored) < self.total

    def fetchMore(self, parent: Index) -> None:
        self.more_requested.emit()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == DURATION:
            return _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        call = self.call_at(index)
        if call is None:
            return None
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _cell(call, column)
            case Qt.ItemDataRole.DecorationRole if column == TOOL:
                return face(self._theme, call.key.partition(":")[0], size=space(4))
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(_color(call, column))
            case Qt.ItemDataRole.FontRole if column == ARGUMENTS:
                return self._theme.mono_font()  # it may have been zoomed
            case Qt.ItemDataRole.TextAlignmentRole if column == DURATION:
                return _RIGHT
            case Qt.ItemDataRole.ToolTipRole if column < DURATION:
                return _tooltip(_whole_cell(call, column))
            case Qt.ItemDataRole.AccessibleDescriptionRole if column == TOOL:
                return call_labels.call_sentence(call)
            case _:
                return None

    def _at(self, row: int) -> Summary | None:
        live = len(self._live)
        if row < live:
            return self._live[row]
        return self._stored[row - live] if row - live < len(self._stored) else None

    def _fresh(self, page: CallPage) -> list[Summary] | None:
        """The new calls on top; None if the rest differs from what is shown."""
        if not self._stored:
            return None
        known = self._stored[0].id
        fresh = [call for call in page.calls if call.id > known]
        rest = [call.id for call in page.calls[len(fresh) :]]
        is_same = [call.id for call in self._stored[: len(rest)]] == rest
        whole = len(fresh) + len(self._stored) <= page.total
        return fresh if is_same and whole and (rest or not page.calls) else None


def _tooltip(text: str) -> str:
    # A tooltip guesses whether its text is rich text: a stranger's text must not be.
    return plain_tip(text[:_TOOLTIP])


def _whole_cell(call: Summary, column: int) -> str:
    if column == OUTCOME:
        return call.message
    if column == TIME:
        return call_labels.time_label(call_labels.made_at(call))
    return call_labels.who_in_full(call) if column == ORIGIN else _cell(call, column)


def _cell(call: Summary, column: int) -> str:
    match column:
        case 0:
            return call_labels.short_time_label(call_labels.made_at(call))
        case 1:
            return call_labels.who_label(call)
        case 2:
            return call_labels.call_label(call)
        case 3:
            return "" if call.arguments in ("{}", "null") else call.arguments
        case 4:
            return call_labels.outcome_label(call.outcome).text
        case _:
            return call_labels.duration_label(call)


def _color(call: Summary, column: int) -> ColorName:
    if column == OUTCOME:
        return call_labels.outcome_label(call.outcome).tone
    return "text" if column == TOOL else "muted"
