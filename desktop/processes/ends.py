"""The servers that ended lately: which, how and when. Ends none itself."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.signals import Signal

if TYPE_CHECKING:
    from desktop.processes.tracker import Closing, McpProcessTracker, TrackedProcess

KEPT = 20


@dataclass(frozen=True, slots=True)
class End:
    """How a server's process ended. `at` is in seconds since the epoch."""

    owner: str
    pid: int
    how: Closing
    at: float


class RecentEnds:
    """Remembers the last `KEPT` ends of a tracker's processes, the latest first."""

    def __init__(self, tracker: McpProcessTracker) -> None:
        self._ends: deque[End] = deque(maxlen=KEPT)
        self.changed: Signal[[]] = Signal()
        tracker.removed.connect(self._remember)

    @property
    def ends(self) -> tuple[End, ...]:
        return tuple(self._ends)

    def _remember(self, tracked: TrackedProcess, how: Closing) -> None:
        self._ends.appendleft(End(tracked.owner, tracked.process.pid, how, time.time()))
        self.changed.send()
