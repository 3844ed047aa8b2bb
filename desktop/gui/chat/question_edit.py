"""The field a question is written in: Enter sends, Shift+Enter begins a line, pictures are taken.

Sends nothing itself. Enter here is never an answer to anything but this field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from desktop.gui.chat.wrapping import wrap_mode
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

LONGEST = 200_000
"""Characters of one question: about 50,000 tokens."""
_LEAST_LINES, _MOST_LINES = 2, 10
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MessageEditor(QPlainTextEdit):
    """Grows with its text up to some lines."""

    sent = Signal()
    picture_pasted = Signal(object)
    """A `QImage`."""
    files_given = Signal(object)
    """Paths of files that were dropped or pasted, a list."""

    refused = Signal()
    """What was to be inserted would have been too much."""

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
        elif len(text := source.text()) + self.document().characterCount() > LONGEST:
            self.refused.emit()
        else:
            if wrap_mode(text) != self.wordWrapMode():
                self.setWordWrapMode(wrap_mode(self.toPlainText() + text))
            super().insertFromMimeData(source)

    def set_text(self, text: str) -> None:
        """Show a text in place of the one before."""
        self.setWordWrapMode(wrap_mode(text))
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def _fit(self) -> None:
        lines = min(_MOST_LINES, max(_LEAST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + space(5))
