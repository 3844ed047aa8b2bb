"""The line below the list of calls: how many are kept, since when, and which go next.

Only shows. Its owner writes the export that a person asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from desktop.gui.layouts import in_row
from desktop.gui.theme import style
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.history.records import Kept
    from desktop.history.serialization import HistoryLimits

FULL: Final = 0.9
"""Part of a limit from which the oldest calls are offered to be exported."""
_PART: Final = 10
"""One call of so many is among those that go next."""


class KeptLine(QFrame):
    """Hidden until it is known what is kept."""

    export_requested = Signal(int)
    """So many of the oldest calls are to be written into a file."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: Kept | None = None
        self._limits: HistoryLimits | None = None
        self.words = plain_label("", "muted", "small")
        self.export = QPushButton()
        style(self.export, "link", "small")
        self.export.clicked.connect(lambda: self.export_requested.emit(self.next_to_go))
        in_row(self, (self.words, 1), self.export)
        self.hide()

    @property
    def next_to_go(self) -> int:
        """How many of the oldest calls are offered to be exported; 0 while there is room."""
        kept, limits = self._kept, self._limits
        if kept is None or limits is None or not self._is_full(kept, limits):
            return 0
        return max(1, kept.calls // _PART)

    def show_kept(self, kept: Kept, limits: HistoryLimits) -> None:
        """Show what there is now."""
        if (kept, limits) != (self._kept, self._limits):
            self._kept, self._limits = kept, limits
            self._set_texts()
            self.show()

    def _set_texts(self) -> None:
        kept, limits = self._kept, self._limits
        if kept is None or limits is None:
            return
        figures = {
            "calls": f"{limits.calls:,}",
            "megabytes": f"{limits.total // 1_000_000:,}",
            "days": f"{limits.days:,}",
        }
        words = (
            self.tr("Keeps {calls} calls or {megabytes} MB, for {days} days.")
            if limits.days
            else self.tr("Keeps {calls} calls or {megabytes} MB.")
        ).format(**figures)
        if kept.since is not None:
            day = kept.since.astimezone().strftime("%Y-%m-%d")
            words += " " + self.tr("The oldest is from {day}.").format(day=day)
        if count := self.next_to_go:
            words += " " + self.tr("The oldest go next.")
            self.export.setText(self.tr("Export the oldest {count}…").format(count=f"{count:,}"))
        style(self.words, "warning" if count else "muted", "small")
        self.words.setText(words)
        self.export.setVisible(count > 0)

    @staticmethod
    def _is_full(kept: Kept, limits: HistoryLimits) -> bool:
        return kept.calls >= FULL * limits.calls or kept.bytes >= FULL * limits.total
