"""The toggle of a server. Shows what is configured; a click or Space only asks for a change."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox

from desktop.gui.theme import style


class Switch(QCheckBox):
    """A switch that does not move by itself: a save that failed needs not be taken back."""

    asked = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        style(self, "switch")

    def nextCheckState(self) -> None:
        self.asked.emit(not self.isChecked())
