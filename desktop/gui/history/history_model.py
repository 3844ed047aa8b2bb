"""The calls as rows for a table, page by page. Must not read the file: whoever shows it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from desktop.gui.history import words
from desktop.gui.results.measures import duration_words

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from desktop.gui.theme import Theme
    from desktop.history.records import CallPage, Summary

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, TOOL, ARGUMENTS, OUTCOME, DURATION, ORIGIN = range(6)
COLUMNS = 6
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NOWHERE = QModelIndex()
_TOOLTIP = 400


class HistoryModel(QAbstractTableModel):
    """Six columns: time, tool, arguments, outcome, duration, origin; the latest call first."""

    more_wanted = Signal()
    """The view has come to the last row that is there."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: tuple[str, ...] = ("",) * COLUMNS
        self._calls: list[Summary] = []
        self.total = 0

    @property
    def calls(self) -> tuple[Summary, ...]:
        return tuple(self._calls)

    def show_page(self, page: CallPage) -> bool:
        """Show these calls from the top. Whether rows that stay kept their place."""
        self.total = page.total
        fresh = self._fresh(page)
        if fresh is None:
            self.beginResetModel()
            self._calls = list(page.calls)
            self.endResetModel()
            return False
        if fresh:
            self.beginInsertRows(_NOWHERE, 0, len(fresh) - 1)
            self._calls[:0] = fresh
            self.endInsertRows()
        return True

    def add_page(self, page: CallPage) -> None:
        """Show older calls below those that are there."""
        self.total = page.total
        if page.calls:
            first = len(self._calls)
            self.beginInsertRows(_NOWHERE, first, first + len(page.calls) - 1)
            self._calls += page.calls
            self.endInsertRows()

    def call_at(self, index: Index) -> Summary | None:
        is_there = index.isValid() and index.row() < len(self._calls)
        return self._calls[index.row()] if is_there else None

    def row_of(self, number: int) -> int:
        """The row of a call; -1 where it is not shown."""
        return next((row for row, one in enumerate(self._calls) if one.id == number), -1)

    def set_titles(self, titles: tuple[str, ...]) -> None:
        self._titles = titles
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, COLUMNS - 1)
        if self._calls:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._calls) - 1, COLUMNS - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._calls)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else COLUMNS

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and len(self._calls) < self.total

    def fetchMore(self, parent: Index) -> None:
        self.more_wanted.emit()

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
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(_color(call, column))
            case Qt.ItemDataRole.FontRole if column == ARGUMENTS:
                return self._theme.mono_font()
            case Qt.ItemDataRole.TextAlignmentRole if column == DURATION:
                return _RIGHT
            case Qt.ItemDataRole.ToolTipRole if column in (TOOL, ARGUMENTS, OUTCOME):
                whole = call.message if column == OUTCOME else _cell(call, column)
                # A tooltip guesses whether its text is rich: that of others must not be.
                return whole[:_TOOLTIP].replace("<", "‹")
            case _:
                return None

    def _fresh(self, page: CallPage) -> list[Summary] | None:
        """The calls that came on top since; None where the rest is not what is shown."""
        if not self._calls:
            return None
        known = self._calls[0].id
        fresh = [call for call in page.calls if call.id > known]
        rest = [call.id for call in page.calls[len(fresh) :]]
        is_same = [call.id for call in self._calls[: len(rest)]] == rest
        whole = len(fresh) + len(self._calls) <= page.total
        return fresh if is_same and whole and (rest or not page.calls) else None


def _cell(call: Summary, column: int) -> str:
    match column:
        case 0:
            return words.moment_words(call.at)
        case 1:
            return call.key
        case 2:
            return "" if call.arguments in ("{}", "null") else call.arguments
        case 3:
            return words.outcome_words(call.outcome).text
        case 4:
            return duration_words(call.duration)
        case _:
            return words.origin_words(call.origin)


def _color(call: Summary, column: int) -> Any:
    if column == OUTCOME:
        return words.outcome_words(call.outcome).color
    return "text" if column == TOOL else "muted"
