"""The line in which a list is filtered: Esc empties it, Down goes on to the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_LONGEST = 200


class ActivitySearchField(QLineEdit):
    """A bounded line with a button that empties it."""

    moved_down = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(True)
        self.setMaxLength(_LONGEST)
        self.setToolTip("Ctrl+F")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.moved_down.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
