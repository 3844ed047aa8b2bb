"""Brings the messages of the ring into the model: filtered, in batches, a few milliseconds a turn.

Works only while it is wanted; what comes meanwhile stays in the ring. Must not keep messages.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.gui import bridge
from desktop.gui.activity.message_filter import MessageFilter

if TYPE_CHECKING:
    from desktop.gui.activity.messages_model import MessagesModel
    from desktop.servers.message_log import MessageLog, RecordedMessage

BATCH_MS = 40
"""Messages that come together are shown together."""
COUNT_MS = 200
"""How often the count of what came during a pause is told."""
TURN = 0.008
"""Seconds of looking at messages in one turn of the loop."""


class MessageFeed(QObject):
    """Follows the traffic from the oldest message kept to the latest."""

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
        """Messages that the ring keeps."""
        return len(self._traffic)

    @property
    def waiting(self) -> int:
        """Messages that came and were not looked at yet."""
        return self._traffic.last - max(self._seen, self._traffic.first - 1)

    @property
    def is_paused(self) -> bool:
        return self._paused_at is not None

    def want(self, *, wanted: bool) -> None:
        """Follow from now on, or rest."""
        self._is_wanted = wanted
        if not wanted:
            self._timer.stop()
        self._arm(0)

    def pause(self, *, paused: bool) -> None:
        """Leave the rows as they are, while the ring goes on collecting."""
        self._paused_at = self._seen if paused else None
        self._arm(0)
        self.advanced.emit()

    def set_filter(self, wanted: MessageFilter) -> None:
        """Show what fits, of what is kept and of what comes."""
        if wanted != self._filter:
            self._filter = wanted
            self._paused_at = None if self._paused_at is None else max(self._paused_at, self._seen)
            self._model.clear()
            self._seen = 0
            self._turn()

    def clear(self) -> None:
        """Forget all messages."""
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
        """Look at what is new, for a few milliseconds."""
        until = time.perf_counter() + TURN
        fitting: list[RecordedMessage] = []
        while self._seen < self._goal and time.perf_counter() < until:
            self._look(self._traffic.after(self._seen), fitting, until)
        if not self.is_paused:
            self._model.drop_before(self._traffic.first)
        self._model.append(fitting)
        self.advanced.emit()
        if self._seen < self._goal:
            self._timer.start(0)
            return
        self._traffic.after(self._traffic.last)  # asks to be told of the next one
        self.caught_up.emit()

    def _look(
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
        self._seen = self._goal  # what is missing in between is not kept any more
