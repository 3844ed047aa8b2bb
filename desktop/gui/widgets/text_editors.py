"""A text editor for code: line numbers, marked lines, indentation. Knows no language.

Tab moves on, so that nobody is caught in it who has no mouse; Enter indents by itself.

A read-only text widget that can number its lines. Shows plain text; interprets nothing.

A text editor of one line that grows with its text and gives every character back.

`QLineEdit` cannot show a second line and `toPlainText()` changes no-break spaces, hence this one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent


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
