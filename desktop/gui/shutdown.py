"""Shutdown: shows progress while servers close; a second request to quit kills them immediately.

Closes nothing itself: it awaits the coroutine it is given and follows the tracker.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.base.tasks import spawn
from desktop.gui.translations import counted, listed
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.processes.tracker import ShutdownReport

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Any

    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme
    from desktop.processes.tracker import CloseOutcome, McpProcessTracker, TrackedProcess

MAX_NAMES_SHOWN = 5


class ClosingView(QWidget):
    """Takes the place of the pages at the end."""

    hurry_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._state = EmptyState(theme, "processes", "", "")
        self._button = self._state.add_button(self.tr("End now"), self.hurry_requested.emit)
        guard_focus(self._button)
        QVBoxLayout(self).addWidget(self._state)

    @property
    def words(self) -> str:
        return self._state.accessibleName()

    def show_progress(self, waiting: Sequence[str], closed: int, forced: int) -> None:
        """Say who still runs, and how the others ended."""
        count = len(waiting) + closed + forced
        title = counted(count, self.tr("Closing 1 server…"), self.tr("Closing {count} servers…"))
        counts = self.tr("{closed} closed, {forced} forced.").format(closed=closed, forced=forced)
        if waiting:
            names = self.tr("Still running: {names}").format(names=shortened(waiting))
            counts = f"{counts}\n{names}"
        self._state.set_text(title, counts)

    def show_left(self, left: Sequence[str], closed: int, forced: int) -> None:
        """Say who could not be ended; the button now closes the window."""
        counts = self.tr("{closed} closed, {forced} forced, {left} left.")
        counts = counts.format(closed=closed, forced=forced, left=len(left))
        names = self.tr("Could not be stopped: {names}").format(names=shortened(left))
        self._state.set_text(self.tr("Some processes are still running"), f"{counts}\n{names}")
        self._button.setText(self.tr("Close the window"))


def shortened(names: Sequence[str]) -> str:
    """The first few of them in one line, and how many more there are."""
    more = len(names) - MAX_NAMES_SHOWN
    shown = listed(names[:MAX_NAMES_SHOWN])
    return f"{shown} (+{more})" if more > 0 else shown


QUIET = 0.5
"""Seconds in which a closing is not worth a word."""
LEFT_SHOWN = 5.0
"""Seconds that a person gets to read what could not be ended."""
HURRY_LIMIT = 1.0
"""Seconds that the rest may take when everything was killed."""

logger = logging.getLogger(__name__)


class Shutdown:
    """Goes along with one closing of the core."""

    def __init__(self, window: MainWindow, tracker: McpProcessTracker) -> None:
        self._window = window
        self._tracker = tracker
        self._waiting = [tracked.owner for tracked in tracker.tracked]
        self._ends: dict[CloseOutcome, list[str]] = {"closed": [], "forced": [], "left": []}
        self._view: ClosingView | None = None
        self._hurried = asyncio.Event()

    async def run(
        self, closing: Coroutine[Any, Any, ShutdownReport], *, watched: bool
    ) -> ShutdownReport:
        """Wait for `closing`; `watched` if a person is there to read what was left."""
        disconnect = self._tracker.removed.connect(self._ended)
        shown = asyncio.get_running_loop().call_later(QUIET, self._show)
        try:
            receipt = await self._finished(spawn(closing, "close the servers"))
        finally:
            shown.cancel()
            disconnect()
        if receipt.left and watched and not self._hurried.is_set():
            await self._tell_left()
        return receipt

    def hurry(self) -> None:
        """Kill everything now."""
        if not self._hurried.is_set():
            self._hurried.set()
            self._tracker.kill_all()

    async def _finished(self, closing: asyncio.Task[ShutdownReport]) -> ShutdownReport:
        hurried = spawn(self._hurried.wait(), "second request to quit")
        await asyncio.wait({closing, hurried}, return_when=asyncio.FIRST_COMPLETED)
        hurried.cancel()
        if not closing.done():
            await asyncio.wait({closing}, timeout=HURRY_LIMIT)
        if closing.done():
            receipt = closing.result()
            return self._counted() if self._hurried.is_set() else receipt
        logger.error("the servers were killed, but their connections did not end")
        closing.cancel()
        return self._counted()

    def _counted(self) -> ShutdownReport:
        """The receipt where all were killed: the tracker then knows of none any more."""
        ends = self._ends
        forced = (*ends["forced"], *self._waiting)
        return ShutdownReport(tuple(ends["closed"]), forced, tuple(ends["left"]))

    def _ended(self, tracked: TrackedProcess, end: CloseOutcome) -> None:
        if tracked.owner in self._waiting:
            self._waiting.remove(tracked.owner)
        named = f"{tracked.owner} (PID {tracked.process.pid})"
        self._ends[end].append(named if end == "left" else tracked.owner)
        if end != "closed":
            self._show()
        elif self._view is not None:
            self._refresh()

    def _show(self) -> None:
        if self._view is None:
            self._view = ClosingView(self._window.theme)
            self._view.hurry_requested.connect(self.hurry)
            self._window.show_alone(self._view)
        self._refresh()

    def _refresh(self) -> None:
        if self._view is not None:
            ends = self._ends
            self._view.show_progress(self._waiting, len(ends["closed"]), len(ends["forced"]))

    async def _tell_left(self) -> None:
        self._show()
        if self._view is None:
            return
        ends = self._ends
        self._view.show_left(ends["left"], len(ends["closed"]), len(ends["forced"]))
        try:
            await asyncio.wait_for(self._hurried.wait(), LEFT_SHOWN)
        except TimeoutError:
            return
