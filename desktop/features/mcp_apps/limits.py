"""How much one app may ask for, counted here and not believed of its page.

Each limit refuses what is beyond it and leaves the rest alone. Source of the need: MCP Apps
2026-01-26, "Resource consumption".
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_MESSAGE: Final = 1_000_000
"""Bytes of one message of an app."""
MAX_BATCH: Final = 4_000_000
"""Bytes that its page hands on at a time."""
MAX_RESULT: Final = 20_000_000
"""Bytes of one message to an app; a larger result is refused."""
MAX_WAITING: Final = 40_000_000
"""Bytes that wait for a page that does not fetch them; then the app is ended."""
PER_SECOND: Final = 50.0
"""Messages that an app may send for any length of time."""
BURST: Final = 200.0
"""Messages that it may send at once after a pause."""
MAX_OPEN: Final = 8
"""Requests of an app that are being worked on at a time."""
MAX_CALLS: Final = 5_000
"""Requests for tools and resources of one view; then it has to be opened again."""
MAX_HEIGHT: Final = 4_000
"""Pixels that an app may be high on its page."""
MAX_CONTEXT: Final = 10_000
"""Characters that an app may tell the model at a time: about 2,500 tokens."""
MAX_CONTEXTS: Final = 5
"""Apps of one conversation that may have something for the model at a time."""
MAX_DOWNLOAD: Final = 50_000_000
"""Bytes of the files that an app asks to have saved at a time."""
MAX_DOWNLOADS: Final = 5
"""Files that an app asks to have saved at a time."""
MAX_NOTES: Final = 50
"""Sentences on what an app wanted that are kept."""


class MessageRate:
    """A bucket of tokens: `BURST` at once, `PER_SECOND` for ever."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Args: clock: seconds."""
        self._clock = clock
        self._left, self._at = BURST, clock()

    def take(self) -> bool:
        """Whether one more message is within the limit."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * PER_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
