"""Editors of plain text: one that grows with its text, one for code, one for results of any length.

None of them knows a language; none changes a character. Tab moves on in all of them, so that nobody
who has no mouse is caught inside.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QTextCursor, QTextFormat, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from desktop.gui.layouts import NO_LIMIT
from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent, QShowEvent

    from desktop.gui.theme import ColorName

Tone: TypeAlias = Literal["danger", "warning"]

MAX_LINES: Final = 14
"""To which a growing editor grows."""
_MIN_DIGITS: Final = 3
"""Of line numbers, so that a text that comes in pieces does not move to the right."""
_INDENT: Final = "  "
_OPENING: Final = "{["
_CLOSING: Final = "}]"


MAX_WORD_LENGTH = 2_000
"""Qt looks for the end of a word anew at each line of it: 100,000 letters take a second."""


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """At words, or anywhere where a word is longer than any."""
    modes = QTextOption.WrapMode
    if len(text) > MAX_WORD_LENGTH and max(map(len, text.split()), default=0) > MAX_WORD_LENGTH:
        return modes.WrapAnywhere
    return modes.WrapAtWordBoundaryOrAnywhere


def cursor_position(widget: QWidget | None) -> int:
    """Characters before the cursor; 0 for what holds no text."""
    if isinstance(widget, QLineEdit):
        return widget.cursorPosition()
    return widget.textCursor().position() if isinstance(widget, QPlainTextEdit) else 0


def set_cursor_position(widget: QWidget, position: int) -> None:
    """Put the cursor there, or to the end of a text that is shorter."""
    if isinstance(widget, QLineEdit):
        widget.setCursorPosition(min(position, len(widget.text())))
    elif isinstance(widget, QPlainTextEdit):
        cursor = widget.textCursor()
        cursor.setPosition(min(position, widget.document().characterCount() - 1))
        widget.setTextCursor(cursor)


def _exact_text(editor: QPlainTextEdit) -> str:
    """The text as it is; `toPlainText` would turn no-break spaces into spaces."""
    return editor.document().toRawText().replace("\u2029", "\n")


def is_composing(editor: QPlainTextEdit) -> bool:
    """Whether an input method holds a text that is not chosen yet: Enter belongs to it."""
    return bool(editor.textCursor().block().layout().preeditAreaText())


class WrappedTextEditor(QPlainTextEdit):
    """Wraps at words, or anywhere while it holds a word that Qt would take seconds to wrap."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document().contentsChange.connect(self._choose_wrapping)

    def content_height(self, limit: int) -> int:
        """Pixels that all of the text needs, looked at up to `limit`."""
        edge = space(1) + 1  # padding and border, as the style sheet draws them
        height = 2.0 * (self.document().documentMargin() + edge)
        if self.horizontalScrollBar().isVisible():
            height += self.horizontalScrollBar().height()
        block = self.document().firstBlock()
        while block.isValid() and height < limit:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return math.ceil(height) + 1

    def _choose_wrapping(self, position: int, removed: int, added: int) -> None:
        """Qt tells of a change before it lays out what was changed."""
        is_anywhere = self.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
        if max(added, removed if is_anywhere else 0) <= MAX_WORD_LENGTH:
            return
        text = self.document().toRawText()
        mode = wrap_mode(text if is_anywhere else text[position : position + added])
        if mode != self.wordWrapMode():
            self.setWordWrapMode(mode)


class LaunchText(WrappedTextEditor):
    """What a server would be started with, to be read: nothing is cut, long lines are wrapped."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._least = 0
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFont(theme.mono_font())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A line without a space would otherwise go on where nobody looks.
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        style(self, "well", "mono", "small")

    def fit(self, least: int) -> None:
        """Be no higher than the text from now on, and no lower but for what is above `least`."""
        self._least = least
        self.ensurePolished()  # the font of the role counts from then on
        layout = self.document().documentLayout()
        layout.documentSizeChanged.connect(lambda: self._fit())
        self._fit()

    def _fit(self) -> None:
        needed = self.content_height(NO_LIMIT)
        self.setMaximumHeight(needed)
        self.setMinimumHeight(min(needed, self._least))


class GrowingTextEditor(WrappedTextEditor):
    """Grows from `lines` to `MAX_LINES`; one of one line gets others by Shift+Enter."""

    # Not a QLineEdit even for one line: that cannot show the second line of a value it is given.

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
        return _exact_text(self)

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
        return min(max(self._lines, int(self.document().size().height())), MAX_LINES)

    def _height(self) -> int:
        edge = space(1) + 1  # padding and border, as the style sheet draws them
        margin = round(self.document().documentMargin())
        # Without that pixel Qt scrolls, with nothing to scroll to.
        return self._shown_lines() * self.fontMetrics().lineSpacing() + 2 * (edge + margin) + 1

    def _fit(self) -> None:
        is_full = int(self.document().size().height()) > MAX_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if is_full else policy.ScrollBarAlwaysOff
        )
        if self.height() != self._height():
            self.setFixedHeight(self._height())


class NumberedTextEditor(WrappedTextEditor):
    """Plain text with a column of line numbers beside it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shows_numbers = True
        self._gutter = _Gutter(self, theme)
        self.updateRequest.connect(self._gutter.follow)
        self.blockCountChanged.connect(self._make_room)

    @property
    def shows_numbers(self) -> bool:
        return self._shows_numbers

    def set_numbered(self, numbered: bool) -> None:
        """Show the line numbers, or give their room to the text."""
        self._shows_numbers = numbered  # a gutter that was not shown yet counts as hidden for Qt
        self._gutter.setVisible(numbered)
        self._make_room()

    def line_number(self, block: int) -> int | None:
        """The number beside a block (from 0); None where there is none."""
        return block + 1

    def last_line_number(self) -> int:
        """At least the largest number there is: the gutter is as wide as this one."""
        return self.blockCount()

    def number_color(self, block: int) -> ColorName:
        """The colour of the number beside a block (from 0)."""
        del block
        return "muted"

    def visible_blocks(self, area: QRect) -> Iterator[tuple[int, int]]:
        """The blocks that are seen down to the end of `area`: number from 0, top in pixels."""
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        while block.isValid():
            top = round(self.blockBoundingGeometry(block).translated(offset).top())
            if top > area.bottom():
                return
            if block.isVisible():
                yield block.blockNumber(), top
            block = block.next()

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def _make_room(self) -> None:
        width = self._gutter.sizeHint().width() if self.shows_numbers else 0
        self.setViewportMargins(width, 0, 0, 0)
        self._place_gutter()

    def _place_gutter(self) -> None:
        area = self.contentsRect()
        width = self._gutter.sizeHint().width()
        self._gutter.setGeometry(area.left(), area.top(), width, area.height())
        self._gutter.update()


class _Gutter(QWidget):
    """The column of line numbers."""

    def __init__(self, editor: NumberedTextEditor, theme: Theme) -> None:
        super().__init__(editor)
        self._editor, self._theme = editor, theme

    def sizeHint(self) -> QSize:
        digits = max(_MIN_DIGITS, len(str(self._editor.last_line_number())))
        return QSize(self._editor.fontMetrics().horizontalAdvance("9") * digits + space(4), 0)

    def follow(self, area: QRect, scrolled: int) -> None:
        """Move with the text by `scrolled` pixels, or draw again what stands beside `area`."""
        if scrolled:
            self.scroll(0, scrolled)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.color("code"))
        painter.setFont(self._editor.font())
        width, height = self.width() - space(2), self._editor.fontMetrics().height()
        for block, top in self._editor.visible_blocks(event.rect()):
            if (number := self._editor.line_number(block)) is not None:
                painter.setPen(self._theme.color(self._editor.number_color(block)))
                line = QRect(0, top, width, height)
                painter.drawText(line, Qt.AlignmentFlag.AlignRight, str(number))
        painter.end()


class CodeEditor(NumberedTextEditor):
    """For typing code: Enter indents, `mark` gives lines the tone of what is wrong there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._marks: dict[int, Tone] = {}
        style(self, "mono")
        self.setFont(theme.mono_font())
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        theme.changed.connect(self._paint_marks)
        self._make_room()

    def exact_text(self) -> str:
        return _exact_text(self)

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
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and not event.modifiers() and not is_composing(self):
            self._break_line()
        else:
            super().keyPressEvent(event)

    def number_color(self, block: int) -> ColorName:
        return self._marks.get(block, "muted")

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


class ResultTextEditor(NumberedTextEditor):
    """Shows text that cannot be changed, a part of a longer one and in pieces if need be."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._is_monospaced = True
        self._first_line = 1
        self._continued: Sequence[int] = ()
        self.set_numbered(False)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        style(self, "well")
        self.set_monospaced(True)

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

    def begin(self, text: str, first_line: int, continued: Sequence[int]) -> None:
        """Show `text`.

        Args:
            text: from a line's start on; `add` brings the rest.
            first_line: its number in the whole, from 1.
            continued: the blocks (from 0, ascending) that go on with the line of the one before.
        """
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

    def line_number(self, block: int) -> int | None:
        before = bisect_left(self._continued, block)
        if before < len(self._continued) and self._continued[before] == block:
            return None
        return self._first_line + block - bisect_right(self._continued, block)

    def last_line_number(self) -> int:
        return self._first_line + self.blockCount()
