"""What a search has found so far and which of it is shown; looks on between the loop's turns.

Must not know what is searched: it is handed the places one by one.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

MOST = 10_000
"""Places that are kept; nobody steps through more."""
_TURN = 0.008  # seconds of looking per turn of the loop


class Matches(QObject, Generic[T]):
    """Takes places from an iterator that yields None where it can be interrupted."""

    changed = Signal()
    reached = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.found: list[T] = []
        self.current = -1
        self._places: Iterator[T | None] | None = None
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._look)

    @property
    def is_looking(self) -> bool:
        return self._places is not None

    def start(self, places: Iterator[T | None]) -> None:
        """Begin anew; the first place found is shown at once."""
        self.clear()
        self._places = places
        self._turn.start()
        self._look()

    def clear(self) -> None:
        self._turn.stop()
        self._places = None
        self.found = []
        self.current = -1
        self.changed.emit()

    def step(self, by: int) -> None:
        """Go on by `by` places, round at the ends."""
        if self.found:
            self._go_to((self.current + by) % len(self.found))

    def _look(self) -> None:
        until = time.monotonic() + _TURN
        while self._places is not None and time.monotonic() < until:
            self._take(self._places)
        self.changed.emit()

    def _take(self, places: Iterator[T | None]) -> None:
        ended = object()
        place = next(places, ended)
        if place is ended or len(self.found) >= MOST:
            self._places = None
            self._turn.stop()
        elif place is not None:
            self.found.append(place)  # pyright: ignore[reportArgumentType] not `ended`
            if self.current < 0:
                self._go_to(0)

    def _go_to(self, number: int) -> None:
        self.current = number
        self.changed.emit()
        self.reached.emit(self.found[number])
