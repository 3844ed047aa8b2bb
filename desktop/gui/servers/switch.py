"""The toggle of a server. Shows what is configured; a click or Space only asks for a change."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from desktop.gui.theme import space, style

_WIDTH = space(10.5)  # the drawing and its focus ring


class Switch(QCheckBox):
    """A switch that does not move by itself: a save that failed needs not be taken back."""

    asked = Signal(bool)

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
        self.asked.emit(not self.isChecked())
