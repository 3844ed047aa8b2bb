"""Where in a text the keyboard is, so that a text drawn anew goes on being typed at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


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
