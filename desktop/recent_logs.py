"""The last log records of this run, for whoever looks at them later.

What looks like a secret is taken out when a record comes; the values that only a config knows are
left to who shows them. Records come from any thread: there is no signal, `last` grows.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import NamedTuple

from desktop.logs import RedactingFormatter

KEPT = 2_000
"""Records."""
LONGEST = 8_000
"""Characters kept of one: a traceback with room to spare."""
_FORMATTER = RedactingFormatter("%(message)s")


class LogLine(NamedTuple):
    """One record as it is shown; `at` is in seconds since the epoch, `level` as in `logging`."""

    number: int
    at: float
    level: int
    name: str
    text: str


class LogBuffer(logging.Handler):
    """Keeps what reaches the root logger, from `start` until `stop`."""

    def __init__(self) -> None:
        super().__init__()
        self.last = 0
        self._lines: deque[LogLine] = deque(maxlen=KEPT)

    def start(self) -> None:
        logging.getLogger().addHandler(self)

    def stop(self) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record; the lock of the handler is held meanwhile."""
        try:
            text = _FORMATTER.format(record)[:LONGEST]
        except Exception:  # noqa: BLE001 - as every handler: a bad record must not stop its caller
            self.handleError(record)
            return
        self.last += 1
        self._lines.append(LogLine(self.last, record.created, record.levelno, record.name, text))

    def after(self, number: int) -> list[LogLine]:
        """The lines kept that came after the one of this number."""
        return [line for line in self._lines.copy() if line.number > number]

    def clear(self) -> None:
        """Forget all lines; those to come go on counting."""
        self._lines.clear()
