"""Runs Python's garbage collection in the window's thread, and in no other.

Python collects in whichever thread happens to allocate. A reference cycle with a widget would then
be taken apart in a thread that reads a file or decodes an image, and Qt crashes.

Large object graphs are not scanned while a person looks: 14 MB of JSON would block the window for
150 ms. They are set aside (`gc.freeze`) and still freed when their last reference goes; only cycles
among them wait until the person turns to another app, or some minutes.

Who does nothing leaves no garbage: while the window idles, nothing here wakes it.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from desktop.base.free_memory import return_free_memory

LOOK_MS = 200
"""From the first garbage that is due to the collection."""
QUIET_MS = 5_000
"""From the last collection to the moment at which free memory is given back."""
FULL_EVERY = 60.0
"""Seconds between two looks at everything that is not set aside."""
MAX_WALKED = 40_000
"""Objects: some 10 to 25 ms."""
ASIDE_FOR = 600.0
"""Seconds until what was set aside is looked at in any case."""
MAX_ASIDE = 1_500_000
"""Objects; with more, it is looked at in any case. They may be garbage."""


class GuiGarbageCollector(QObject):
    """Does for as long as it lives what Python would do by itself, at the same thresholds."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last_full = self._last_whole = time.monotonic()
        self._aside = 0
        gc.disable()
        self._soon = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._soon.timeout.connect(self._collect)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(return_free_memory)
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.aboutToBlock.connect(self._look)  # all that was to be done is done
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._state_changed)

    def collect_if_due(self) -> None:
        """Collect the youngest objects that are due, and the older ones with them."""
        level = self._due()
        if level < 0:
            return
        count = gc.get_count()[0] + _size(range(1, level + 1))
        if count <= MAX_WALKED:
            gc.collect(level)
            return
        self._aside += count + _size(range(level + 1, 3))
        gc.freeze()
        waited = time.monotonic() - self._last_whole
        if self._aside > MAX_ASIDE or waited > ASIDE_FOR:
            self.collect_all()

    def _look(self) -> None:
        if gc.get_count()[0] > gc.get_threshold()[0] and not self._soon.isActive():
            self._soon.start()

    def _collect(self) -> None:
        self.collect_if_due()
        self._quiet.start()

    def collect_all(self) -> None:
        """Look at every object there is, those set aside too; this blocks the window."""
        self._last_full = self._last_whole = time.monotonic()
        self._aside = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _due(self) -> int:
        """The oldest generation that is due; -1 if none is."""
        thresholds, counts = gc.get_threshold(), gc.get_count()
        if counts[0] <= thresholds[0]:
            return -1
        if counts[1] <= thresholds[1]:
            return 0
        if counts[2] <= thresholds[2] or time.monotonic() < self._last_full + FULL_EVERY:
            return 1
        self._last_full = time.monotonic()
        return 2

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        is_left = state != Qt.ApplicationState.ApplicationActive
        if is_left and self._aside:
            self.collect_all()


def _size(generations: range) -> int:
    return sum(len(gc.get_objects(generation=generation)) for generation in generations)
