"""Colours JSON while it is typed. Looks at one line at a time; judges nothing.

Where in a text the keyboard is, so that a text drawn anew goes on being typed at its place.

Changes to many widgets with one laying out at their end; Qt would do it after each.

Waiting is all it does: it shows, hides and moves nothing.

Keeps the mouse wheel from changing a field that a person only scrolls past.

For combo boxes and number fields inside anything that scrolls.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from PySide6.QtGui import QTextDocument
    from PySide6.QtWidgets import QLayout, QWidget

    from desktop.gui.theme import ColorName, Theme


def caret_of(widget: QWidget | None) -> int:
    """Characters before the cursor; 0 for what holds no text."""
    if isinstance(widget, QLineEdit):
        return widget.cursorPosition()
    return widget.textCursor().position() if isinstance(widget, QPlainTextEdit) else 0


def put_caret(widget: QWidget, position: int) -> None:
    """Put the cursor there, or to the end of a text that is shorter."""
    if isinstance(widget, QLineEdit):
        widget.setCursorPosition(min(position, len(widget.text())))
    elif isinstance(widget, QPlainTextEdit):
        cursor = widget.textCursor()
        cursor.setPosition(min(position, widget.document().characterCount() - 1))
        widget.setTextCursor(cursor)


@contextmanager
def at_once(widgets: Iterable[QWidget]) -> Generator[None]:
    """Let the layouts around these wait: each widget shown would lay out all others anew."""
    layouts: set[QLayout] = set()
    for widget in widgets:
        parent = widget.parentWidget()
        while parent is not None and (layout := parent.layout()) is not None:
            layouts.add(layout)
            parent = parent.parentWidget()
    waiting = [layout for layout in layouts if layout.isEnabled()]
    for layout in waiting:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in waiting:
            layout.setEnabled(True)
            layout.invalidate()


def require_focus_for_wheel(field: QWidget) -> None:
    """Let the wheel scroll what is around `field` unless the field has the focus."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_WheelFilter(field))


class _WheelFilter(QObject):
    """Passes the wheel of an unfocused field on to what is around it."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self._field.hasFocus():
            event.ignore()
            return True
        return False


LONGEST_LINE: Final = 5000
_TOKEN: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<text>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\b\d[\d.eE+-]*)|(?P<word>\b(?:true|false|null)\b)"
)
_COLORS: Final[dict[str, ColorName]] = {
    "key": "accent",
    "text": "success",
    "number": "warning",
    "word": "warning",
}


class JsonHighlighter(QSyntaxHighlighter):
    """Keys, text, numbers and words in the colours of the theme."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str, /) -> None:
        if len(text) > LONGEST_LINE:
            return
        for token in _TOKEN.finditer(text):
            form = QTextCharFormat()
            form.setForeground(self._theme.color(_COLORS[str(token.lastgroup)]))
            self.setFormat(token.start(), token.end() - token.start(), form)
