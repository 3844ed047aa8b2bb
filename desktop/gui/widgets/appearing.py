"""Lets a card or a result come into view instead of being there from one frame to the next.

    appear(theme, card)  # after it was shown; does nothing where the person wants no motion

The widget itself is whole and usable at once: what fades is a veil above it that takes no clicks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, Qt, QVariantAnimation
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from desktop.gui.theme.tokens import MOTION_MS

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from desktop.gui.theme import ColorName, Theme


def appear(theme: Theme, widget: QWidget, behind: ColorName = "surface") -> None:
    """Fade `widget` in, once, over the colour that it stands on."""
    if widget.isVisible() and theme.motion.is_wanted:
        for veil in widget.findChildren(Veil, options=Qt.FindChildOption.FindDirectChildrenOnly):
            veil.end()
        Veil(theme, widget, behind)


class Veil(QWidget):
    """Covers its parent, less and less, and is then gone."""

    def __init__(self, theme: Theme, over: QWidget, behind: ColorName) -> None:
        super().__init__(over)
        self._color = theme.color(behind)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setGeometry(over.rect())
        self.fading = QVariantAnimation(self)
        self.fading.setDuration(MOTION_MS)
        self.fading.setStartValue(1.0)
        self.fading.setEndValue(0.0)
        self.fading.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.fading.valueChanged.connect(self._show_step)
        self.fading.finished.connect(self.end)
        self.raise_()
        self.show()
        self.fading.start()

    def end(self) -> None:
        self.fading.stop()
        self.hide()
        self.deleteLater()

    def _show_step(self, _: object) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(float(self.fading.currentValue()))
        painter.fillRect(self.rect(), self._color)
