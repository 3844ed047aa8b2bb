"""Fields of one line, each with its label: the rows of a dialog.

Must not be imported before the first paint: Qt's form layout costs a start 0.8 ms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFormLayout, QLabel

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class FieldRows(QFormLayout):
    """A label stands beside the middle of its field: Qt alone puts it higher."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(space(3))
        self.setVerticalSpacing(space(2))

    def add(self, label: QLabel | str, field: QWidget) -> None:
        words = QLabel(label) if isinstance(label, str) else label
        words.setBuddy(field)
        field.ensurePolished()  # what the style sheet adds is part of its height
        words.setMinimumHeight(field.sizeHint().height())
        self.addRow(words, field)
