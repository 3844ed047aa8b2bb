"""The rows of the message table, their filter, and the feed that appends them in batches.

The feed runs only while it is needed, a few milliseconds at a time; until then messages stay in the
ring buffer of the log. Must not keep messages beyond that buffer, nor read their bodies.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from desktop.gui import bridge
from desktop.gui.activity import message_labels
from desktop.gui.theme import space
from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.server_faces import face

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import ColorName, Theme
    from desktop.servers.message_log import MessageLog, RecordedMessage

_TOOL_ERRORS = (b'"isError":true', b'"isError": true')


class MessageFilter(Struct, frozen=True):
    """A message has to match all that is set; `text` is searched in method, subject, id and body.

    Errors are JSON-RPC errors, messages that could not be read, and results with `isError`.
    """

    text: str = ""
    server: str = ""
    kind: str = ""
    errors_only: bool = False
    call_id: str = ""

    def fits(self, message: RecordedMessage) -> bool:
        """Whether a message is shown; ignores case."""
        if self.call_id and message.call_id != self.call_id:
            return False
        if self.server and message.server != self.server:
            return False
        if self.kind and message.kind != self.kind:
            return False
        if self.errors_only and not is_error(message):
            return False
        return not self.text or self._has_text(message)

    def _has_text(self, message: RecordedMessage) -> bool:
        needle = self.text.lower()
        if (
            needle in message.method.lower()
            or needle in message.subject.lower()
            or needle == str(message.id)
        ):
            return True
        return needle.encode() in message.body.lower()


def is_error(message: RecordedMessage) -> bool:
    """Whether it is an error of the protocol or the tool, or could not be read."""
    if message.kind in {"error", "unreadable"}:
        return True
    return message.kind == "response" and any(mark in message.body for mark in _TOOL_ERRORS)


Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, DIRECTION, SERVER, METHOD, KIND, ID, DURATION, SIZE = range(8)
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NUMBERS = frozenset((ID, DURATION, SIZE))
_TEXTS: tuple[Callable[[RecordedMessage], str], ...] = (
    lambda message: message_labels.time_label(message.at),
    message_labels.sender_label,
    lambda message: message.server,
    message_labels.method_label,
    lambda message: message_labels.kind_label(message.kind),
    message_labels.id_label,
    lambda message: "" if message.duration is None else format_duration(message.duration),
    lambda message: format_size(message.size),
)


class MessagesModel(QAbstractTableModel):
    """Rows in the order of their numbers, oldest first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: tuple[str, ...] = ("",) * len(_TEXTS)
        self.rows: list[RecordedMessage] = []

    def append(self, messages: list[RecordedMessage]) -> None:
        """Add rows at the end; their numbers must be higher than those before."""
        if messages:
            at = len(self.rows)
            self.beginInsertRows(_ROOT, at, at + len(messages) - 1)
            self.rows += messages
            self.endInsertRows()

    def drop_before(self, number: int) -> None:
        """Remove the rows of messages older than this number."""
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
            return self._theme.mono_font()  # it may have been zoomed
        if role == Qt.ItemDataRole.DecorationRole and column == SERVER:
            return face(self._theme, message.server, size=space(4))
        return None


def _color(message: RecordedMessage, column: int) -> ColorName:
    if column in {KIND, METHOD} and is_error(message):
        return "warning" if message.kind == "unreadable" else "danger"
    if column == DIRECTION:
        return "accent" if message.direction == "sent" else "success"
    return "text" if column in {METHOD, KIND, SERVER} else "muted"


BATCH_MS = 40
"""Messages that come together are shown together."""
COUNT_MS = 200
"""How often the count of what came during a pause is told."""
TURN = 0.008
"""Seconds of looking at messages in one turn of the loop."""


class MessageFeed(QObject):
    """Follows the message log, from the oldest message in it to the latest."""

    advanced = Signal()
    """Counts or servers may have changed."""
    caught_up = Signal()
    """The latest message was looked at."""

    def __init__(self, traffic: MessageLog, model: MessagesModel, parent: QObject) -> None:
        super().__init__(parent)
        self._traffic, self._model = traffic, model
        self._filter = MessageFilter()
        self._is_wanted = False
        self._paused_at: int | None = None
        self._seen = 0
        self.servers: set[str] = set()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._turn)
        self._counter = QTimer(self, interval=COUNT_MS)
        self._counter.timeout.connect(self.advanced)
        bridge.connect(self, traffic.grew, self._grew)

    @property
    def total(self) -> int:
        """The number of messages in the log."""
        return len(self._traffic)

    @property
    def waiting(self) -> int:
        """The number of messages that were not processed yet."""
        return self._traffic.last - max(self._seen, self._traffic.first - 1)

    @property
    def is_paused(self) -> bool:
        return self._paused_at is not None

    def want(self, *, wanted: bool) -> None:
        """Follow the log from now on, or stop following it."""
        self._is_wanted = wanted
        if not wanted:
            self._timer.stop()
        self._arm(0)

    def pause(self, *, paused: bool) -> None:
        """Leave the rows as they are, while the log goes on collecting."""
        self._paused_at = self._seen if paused else None
        self._arm(0)
        self.advanced.emit()

    def set_filter(self, wanted: MessageFilter) -> None:
        """Show what matches, of the messages in the log and of those to come."""
        if wanted != self._filter:
            self._filter = wanted
            self._paused_at = None if self._paused_at is None else max(self._paused_at, self._seen)
            self._model.clear()
            self._seen = 0
            self._turn()

    def clear(self) -> None:
        """Delete all messages."""
        self._traffic.clear()
        self._seen = self._traffic.last
        self._paused_at = None if self._paused_at is None else self._seen
        self._model.clear()
        self.servers.clear()
        self.advanced.emit()

    @property
    def _goal(self) -> int:
        return self._traffic.last if self._paused_at is None else self._paused_at

    def _grew(self) -> None:
        self._arm(BATCH_MS)

    def _arm(self, milliseconds: int) -> None:
        if self._is_wanted and self._seen < self._goal and not self._timer.isActive():
            self._timer.start(milliseconds)
        if self._is_wanted and self.is_paused:
            self._counter.start()
        else:
            self._counter.stop()

    def _turn(self) -> None:
        """Process new messages, for a few milliseconds."""
        until = time.perf_counter() + TURN
        fitting: list[RecordedMessage] = []
        while self._seen < self._goal and time.perf_counter() < until:
            self._process(self._traffic.after(self._seen), fitting, until)
        if not self.is_paused:
            self._model.drop_before(self._traffic.first)
        self._model.append(fitting)
        self.advanced.emit()
        if self._seen < self._goal:
            self._timer.start(0)
            return
        self._traffic.after(self._traffic.last)  # asks for news of the next message
        self.caught_up.emit()

    def _process(
        self, part: list[RecordedMessage], fitting: list[RecordedMessage], until: float
    ) -> None:
        for message in part:
            if message.number > self._goal:
                break
            self._seen = message.number
            self.servers.add(message.server)
            if self._filter.fits(message):
                fitting.append(message)
            if time.perf_counter() > until:
                return
        else:
            if part:
                return
        self._seen = self._goal  # messages missing in between have left the log
