"""A read-only text widget that can number its lines. Shows plain text; interprets nothing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from collections.abc import Sequence


class ResultTextEditor(QPlainTextEdit):
    """Lines as they come; those in `continued` go on with the line before and have no number."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_monospaced = True
        self._first_line = 1
        self._continued: Sequence[int] = ()
        self.numbers = _Numbers(self)
        self.numbers.hide()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        style(self, "well")
        self.set_monospaced(True)
        self.updateRequest.connect(self._follow)
        self.blockCountChanged.connect(self._make_room)

    def set_monospaced(self, monospaced: bool) -> None:
        self._is_monospaced = monospaced
        self.setFont(self._theme.mono_font() if monospaced else QApplication.font())
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        # A style sheet drops the font of a widget that gets another parent before it is shown.
        self.set_monospaced(self._is_monospaced)
        super().showEvent(event)

    def set_wrapping(self, wraps: bool) -> None:
        modes = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(modes.WidgetWidth if wraps else modes.NoWrap)

    def set_numbered(self, numbered: bool) -> None:
        self.numbers.setVisible(numbered)
        self._make_room()

    def begin(self, text: str, first_line: int, continued: Sequence[int]) -> None:
        """Show `text`, whose first line is number `first_line` (from 1) of the whole."""
        self._first_line, self._continued = first_line, continued
        self.setPlainText(text)
        self._make_room()

    def add(self, text: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)

    def select(self, start: int, end: int) -> None:
        """Select from `start` to `end`, in UTF-16 units of what is shown, and go there."""
        last = self.document().characterCount() - 1
        cursor = self.textCursor()
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.centerCursor()

    def number_of(self, block: int) -> int | None:
        """The line number of a block (from 0), None where it only goes on with a line."""
        before = bisect_left(self._continued, block)
        if before < len(self._continued) and self._continued[before] == block:
            return None
        return self._first_line + block - bisect_right(self._continued, block)

    def numbers_width(self) -> int:
        if self.numbers.isHidden():
            return 0
        digits = len(str(self._first_line + self.blockCount()))
        return self.fontMetrics().horizontalAdvance("9") * max(3, digits) + space(4)

    def paint_numbers(self, event: QPaintEvent) -> None:
        painter = QPainter(self.numbers)
        painter.fillRect(event.rect(), self._theme.color("code"))
        painter.setPen(self._theme.color("muted"))
        painter.setFont(self.font())
        width, height = self.numbers.width() - space(2), self.fontMetrics().height()
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        while block.isValid():
            top = round(self.blockBoundingGeometry(block).translated(offset).top())
            if top > event.rect().bottom():
                break
            if block.isVisible() and (number := self.number_of(block.blockNumber())) is not None:
                place = QRect(0, top, width, height)
                painter.drawText(place, Qt.AlignmentFlag.AlignRight, str(number))
            block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_numbers()

    def _make_room(self) -> None:
        self.setViewportMargins(self.numbers_width(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        inside = self.contentsRect()
        size = QSize(self.numbers_width(), inside.height())
        self.numbers.setGeometry(QRect(QPoint(inside.left(), inside.top()), size))
        self.numbers.update()

    def _follow(self, rect: QRect, scrolled: int) -> None:
        if scrolled:
            self.numbers.scroll(0, scrolled)
        else:
            self.numbers.update(0, rect.y(), self.numbers.width(), rect.height())


class _Numbers(QWidget):
    """The column of numbers; the editor knows what to paint into it."""

    def __init__(self, editor: ResultTextEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_numbers(event)
