"""A few views of one thing as joined buttons: exactly one of them is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton

from desktop.gui.layouts import in_row
from desktop.gui.theme import style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class Segments(QFrame):
    """One button a view; the first is chosen. `choice.buttonToggled` follows."""

    def __init__(self, *words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "segments")
        self.choice = QButtonGroup(self)
        self.buttons = tuple(QPushButton(word) for word in words)
        for button in self.buttons:
            button.setCheckable(True)
            style(button, "segment")
            self.choice.addButton(button)
        self.buttons[0].setChecked(True)
        in_row(self, *self.buttons, margins=0.5, spacing=0)
