"""The field a question is written in: Enter sends, Shift+Enter begins a line, pictures are taken.

Sends nothing itself. Enter here is never an answer to anything but this field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_LEAST_LINES, _MOST_LINES = 2, 10
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class QuestionEdit(QPlainTextEdit):
    """Grows with its text up to some lines."""

    sent = Signal()
    picture_pasted = Signal(object)
    """A `QImage`."""
    files_given = Signal(object)
    """Paths of files that were dropped or pasted, a list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "prose")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(space(1))
        self.textChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in _ENTER and not shifted:
            self.sent.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasImage() or source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if files:
            self.files_given.emit(files)
        elif source.hasImage() and isinstance(image := source.imageData(), QImage):
            self.picture_pasted.emit(image)
        else:
            super().insertFromMimeData(source)

    def _fit(self) -> None:
        lines = min(_MOST_LINES, max(_LEAST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + space(5))
