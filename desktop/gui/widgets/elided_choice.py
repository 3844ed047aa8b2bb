"""A closed choice that shows both ends of a text it has no room for: Qt only cuts it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class ElidedChoice(QComboBox):
    """Its list shows each text whole, as every other one does."""

    @property
    def shown_text(self) -> str:
        """The chosen text as it is painted."""
        return self._option().currentText

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def _option(self) -> QStyleOptionComboBox:
        option, field = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
        self.initStyleOption(option)
        box = QStyle.ComplexControl.CC_ComboBox
        room = self.style().subControlRect(box, option, field, self).width()
        elide = Qt.TextElideMode.ElideMiddle
        option.currentText = self.fontMetrics().elidedText(self.currentText(), elide, room)
        return option
