"""What the window shows while servers end: how many, how they ended, who is still there.

Shows what it is told; decides nothing. The second wish to close comes back as `hurry_requested`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.gui.counted import counted
from desktop.gui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.theme import Theme

NAMES_SHOWN = 5


class ClosingView(QWidget):
    """Takes the place of the pages at the end."""

    hurry_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._state = EmptyState(theme, "processes", "", "")
        self._button = self._state.add_button(self.tr("End now"), self.hurry_requested.emit)
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
        names = self.tr("Could not be ended: {names}").format(names=shortened(left))
        self._state.set_text(self.tr("Some processes are left"), f"{counts}\n{names}")
        self._button.setText(self.tr("Close the window"))


def shortened(names: Sequence[str]) -> str:
    """The first few of them in one line, and how many more there are."""
    more = len(names) - NAMES_SHOWN
    shown = ", ".join(names[:NAMES_SHOWN])
    return f"{shown} (+{more})" if more > 0 else shown
