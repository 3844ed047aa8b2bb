"""Collects garbage in the thread of the window, and in no other.

Python collects in whichever thread happens to allocate. A cycle with a widget in it would then be
taken apart in a thread that reads a file or decodes an image, and Qt crashes for that.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 200
FULL_EVERY = 60.0
"""Seconds between two looks at everything: that is what takes long."""


class Collector(QObject):
    """Does for as long as it lives what Python would do by itself, at the same thresholds."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last_full = time.monotonic()
        gc.disable()
        timer = QTimer(self, interval=LOOK_MS)
        timer.timeout.connect(self.collect_if_due)
        timer.start()

    def collect_if_due(self) -> None:
        """Collect the youngest objects that are due, and the older ones with them."""
        thresholds, counts = gc.get_threshold(), gc.get_count()
        if counts[0] <= thresholds[0]:
            return
        if counts[1] <= thresholds[1]:
            gc.collect(0)
        elif counts[2] <= thresholds[2] or time.monotonic() < self._last_full + FULL_EVERY:
            gc.collect(1)
        else:
            self._last_full = time.monotonic()
            gc.collect()
