"""Messages as rows, appended in batches. Holds what it is given; looks at no body."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.gui.activity import words
from desktop.gui.activity.message_filter import is_error
from desktop.gui.results.measures import duration_words, size_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import ColorName, Theme
    from desktop.servers.message_log import RecordedMessage

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, DIRECTION, SERVER, METHOD, KIND, ID, DURATION, SIZE = range(8)
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NUMBERS = frozenset((ID, DURATION, SIZE))
_TEXTS: tuple[Callable[[RecordedMessage], str], ...] = (
    lambda one: words.clock_words(one.at),
    lambda one: words.direction_words(one.direction),
    lambda one: one.server,
    words.method_words,
    lambda one: words.kind_words(one.kind),
    words.id_words,
    lambda one: "" if one.duration is None else duration_words(one.duration),
    lambda one: size_words(one.size),
)


class MessagesModel(QAbstractTableModel):
    """Rows in the order of their numbers, the oldest first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = theme.mono_font()
        self._titles: tuple[str, ...] = ("",) * len(_TEXTS)
        self.rows: list[RecordedMessage] = []

    def append(self, messages: list[RecordedMessage]) -> None:
        """Add rows at the end; their numbers are higher than those before."""
        if messages:
            at = len(self.rows)
            self.beginInsertRows(_ROOT, at, at + len(messages) - 1)
            self.rows += messages
            self.endInsertRows()

    def drop_before(self, number: int) -> None:
        """Take away the rows of messages that are older than this one."""
        count = bisect_left(self.rows, number, key=attrgetter("number"))
        if count:
            self.beginRemoveRows(_ROOT, 0, count - 1)
            del self.rows[:count]
            self.endRemoveRows()

    def clear(self) -> None:
        self.beginResetModel()
        self.rows = []
        self.endResetModel()

    def row_of(self, number: int) -> int | None:
        """The row of the message with this number, if it is shown."""
        row = bisect_left(self.rows, number, key=attrgetter("number"))
        return row if row < len(self.rows) and self.rows[row].number == number else None

    def set_titles(self, titles: tuple[str, ...]) -> None:
        self._titles = titles
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(titles) - 1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_TEXTS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
            return _RIGHT
        return self._titles[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        message, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _TEXTS[column](message)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.color(_color(message, column))
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _NUMBERS:
            return _RIGHT
        if role == Qt.ItemDataRole.FontRole and column in {METHOD, ID}:
            return self._font
        return None


def _color(message: RecordedMessage, column: int) -> ColorName:
    if column in {KIND, METHOD} and is_error(message):
        return "warning" if message.kind == "unreadable" else "danger"
    if column == DIRECTION:
        return "accent" if message.direction == "sent" else "success"
    return "text" if column in {METHOD, KIND, SERVER} else "muted"
