"""A text editor for code: line numbers, marked lines, indentation. Knows no language.

Tab moves on, so that nobody is caught in it who has no mouse; Enter indents by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from desktop.gui.theme import Theme

Tone: TypeAlias = Literal["danger", "warning"]

_INDENT: Final = "  "
_OPENING: Final = "{["
_CLOSING: Final = "}]"


class CodeEditor(QPlainTextEdit):
    """Text with a column of line numbers; `mark` gives lines the tone of what is wrong there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: dict[int, Tone] = {}
        style(self, "well", "mono")
        self.setFont(theme.mono_font())
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._gutter = _Gutter(self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._follow)
        theme.changed.connect(self._paint_marks)
        self._make_room()

    def exact_text(self) -> str:
        """The text as it is; `toPlainText` would turn no-break spaces into spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def mark(self, lines: Mapping[int, Tone]) -> None:
        """Mark these lines, counted from 0, and no others."""
        if dict(lines) != self._marks:
            self._marks = dict(lines)
            self._paint_marks()

    @property
    def marked(self) -> Mapping[int, Tone]:
        return self._marks

    def go_to(self, offset: int) -> None:
        """Put the cursor there and take the keyboard."""
        cursor = self.textCursor()
        cursor.setPosition(min(offset, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self._break_line()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        area = self.contentsRect()
        self._gutter.setGeometry(
            QRect(area.left(), area.top(), self._gutter.sizeHint().width(), area.height())
        )

    def paint_gutter(self, painter: QPainter, area: QRect) -> None:
        """Draw the numbers of the lines in sight; those marked in the tone of their mark."""
        block, width = self.firstVisibleBlock(), self._gutter.width() - space(2)
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > area.bottom():
                return
            painter.setPen(self._theme.color(self._marks.get(block.blockNumber(), "muted")))
            line = QRect(0, round(box.top()), width, self.fontMetrics().height())
            painter.drawText(line, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            block = block.next()

    def _break_line(self) -> None:
        """A new line as deep as this one, deeper after an opening bracket."""
        cursor = self.textCursor()
        line = cursor.block().text()
        before = line[: cursor.positionInBlock()].rstrip()
        after = line[cursor.positionInBlock() :].lstrip()
        indent = line[: len(line) - len(line.lstrip(" "))][: cursor.positionInBlock()]
        is_opening = before[-1:] in _OPENING if before else False
        cursor.beginEditBlock()
        cursor.insertText(f"\n{indent}{_INDENT if is_opening else ''}")
        position = cursor.position()
        if is_opening and after and after[0] in _CLOSING:
            cursor.insertText(f"\n{indent}")
        cursor.endEditBlock()
        cursor.setPosition(position)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _make_room(self) -> None:
        self.setViewportMargins(self._gutter.sizeHint().width() + space(1), 0, 0, 0)

    def _follow(self, area: QRect, scrolled: int) -> None:
        if scrolled:
            self._gutter.scroll(0, scrolled)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def _paint_marks(self) -> None:
        self.setExtraSelections([self._selection(*each) for each in self._marks.items()])
        self._gutter.update()

    def _selection(self, line: int, tone: Tone) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        shade = "danger_soft" if tone == "danger" else "warning_soft"
        selection.format.setBackground(self._theme.color(shade))  # pyright: ignore[reportAttributeAccessIssue] stubs
        selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # pyright: ignore[reportAttributeAccessIssue]
        selection.cursor = QTextCursor(self.document().findBlockByNumber(line))  # pyright: ignore[reportAttributeAccessIssue]
        return selection


class _Gutter(QWidget):
    """The column left of the text."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        digits = len(str(max(self._editor.blockCount(), 99)))
        return QSize(self._editor.fontMetrics().horizontalAdvance("9") * digits + space(4), 0)

    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        painter.setFont(self._editor.font())
        self._editor.paint_gutter(painter, event.rect())
        painter.end()
