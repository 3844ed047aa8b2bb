"""A number of seconds. The wheel changes it only where it has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDoubleSpinBox

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent


class SecondsBox(QDoubleSpinBox):
    """Shows `120 s`, and a fraction only where there is one."""

    def __init__(self, most: float) -> None:
        super().__init__()
        self.setRange(1, most)
        self.setDecimals(3)
        self.setSuffix(" s")
        self.lineEdit().setTextMargins(space(1), 0, 0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, val: float) -> str:
        return f"{val:g}"

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
