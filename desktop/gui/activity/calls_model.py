"""The calls of this run as rows, the latest last; rows change while their calls run."""

from __future__ import annotations

import time
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.gui.activity import words
from desktop.gui.results.measures import duration_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from desktop.gui.theme import ColorName, Theme
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import LoggedCall

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, TOOL, ORIGIN, STATE, DURATION = range(5)
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CallsModel(QAbstractTableModel):
    """Five columns: time, tool, who called, state, duration."""

    def __init__(
        self, theme: Theme, redaction: Callable[[str], Redaction], parent: QObject | None = None
    ) -> None:
        """Args: redaction: what to take out of the words of a server."""
        super().__init__(parent)
        self._theme, self._redaction = theme, redaction
        self._font = theme.mono_font()
        self._titles: tuple[str, ...] = ("",) * 5
        self.rows: list[LoggedCall] = []

    def show_calls(self, calls: Collection[LoggedCall]) -> None:
        """Take over all calls, oldest first: rows that are gone go, new ones come at the end."""
        first = next(iter(calls)).number if calls else None
        kept = {call.number for call in calls}
        for row in reversed(range(len(self.rows))):
            if first is None or self.rows[row].number not in kept:
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

    def tell_changed(self, numbers: Collection[int]) -> None:
        """Calls went on, or ended."""
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
            return words.clock_words(call.at)
        if column == TOOL:
            return words.tool_words(call, self._redaction)
        if column == ORIGIN:
            return words.origin_words(call.call.origin)
        if column == STATE:
            return words.call_state(call).text
        seconds = call.seconds
        return duration_words(time.monotonic() - call.began if seconds is None else seconds)


def _color(call: LoggedCall, column: int) -> ColorName:
    if column == STATE:
        return words.call_state(call).color
    return "text" if column == TOOL else "muted"
