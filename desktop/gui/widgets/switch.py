"""A switch: on or off, as the configuration says.

Must not change by itself at a click.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

_WIDTH = space(10.5)  # the drawing and its focus ring


class Switch(QCheckBox):
    """A switch that only requests its change: it moves when the configuration was saved."""

    switch_requested = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        style(self, "switch")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Without the room for a text, which it never has."""
        return QSize(_WIDTH, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """All of it: a box for ticks takes the clicks on its drawing and its text alone."""
        return self.rect().contains(pos)

    def nextCheckState(self) -> None:
        self.switch_requested.emit(not self.isChecked())
