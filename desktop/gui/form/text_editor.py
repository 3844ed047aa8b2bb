"""A text editor of one line that grows with its text and gives every character back.

`QLineEdit` cannot show a second line and `toPlainText()` changes no-break spaces, hence this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

MOST_LINES: Final = 14


class GrowingTextEditor(QPlainTextEdit):
    """Grows from `lines` to `MOST_LINES`; Tab moves on. In one line, Shift+Enter adds another."""

    def __init__(self, lines: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(space(0.5))
        self.setViewportMargins(space(1), 0, 0, 0)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def exact_text(self) -> str:
        """The text as it is; `toPlainText` would turn no-break spaces into spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def sizeHint(self) -> QSize:
        return QSize(space(60), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(space(20), self._height())

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and self._lines == 1 and not event.modifiers():
            event.ignore()
            return
        if is_enter and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertBlock()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._fit()

    def _shown_lines(self) -> int:
        return min(max(self._lines, int(self.document().size().height())), MOST_LINES)

    def _height(self) -> int:
        edge = space(1) + 1  # padding and border, as the style sheet draws them
        margin = round(self.document().documentMargin())
        return self._shown_lines() * self.fontMetrics().lineSpacing() + 2 * (edge + margin)

    def _fit(self) -> None:
        is_full = int(self.document().size().height()) > MOST_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if is_full else policy.ScrollBarAlwaysOff
        )
        if self.height() != self._height():
            self.setFixedHeight(self._height())
