"""Looks for words in a text widget: next, previous, wrapping round. Must not hold the text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QToolButton, QWidget

from desktop.gui.icons import set_icon
from desktop.gui.theme import Theme, space, style

_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_FORWARD = QTextDocument.FindFlag(0)


class FindBar(QWidget):
    """A line above the text, shown by Ctrl+F and closed by Esc."""

    closed = Signal()

    def __init__(self, theme: Theme, editor: QPlainTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find in the text"))
        self.field.setAccessibleName(self.tr("Find in the text"))
        self.field.textChanged.connect(self._find_from_start)
        self._state = QLabel(self)
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        style(self._state, "muted", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.field, 1)
        layout.addWidget(self._state)
        for icon, words, step in (
            ("chevron-up", self.tr("Previous match (Shift+Enter)"), self.find_previous),
            ("chevron-down", self.tr("Next match (Enter)"), self.find_next),
            ("close", self.tr("Close (Esc)"), self.close_bar),
        ):
            button = QToolButton(self)
            button.setToolTip(words)
            button.setAccessibleName(words)
            style(button, "flat")
            set_icon(theme, button, icon, "muted")
            button.clicked.connect(step)
            layout.addWidget(button)
        self.hide()

    def open_bar(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        self.hide()
        self.closed.emit()

    def find_next(self) -> None:
        self._find(_FORWARD)

    def find_previous(self) -> None:
        self._find(QTextDocument.FindFlag.FindBackward)

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # closes this bar before it cancels a call
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in _ENTER:
            backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._find(QTextDocument.FindFlag.FindBackward if backwards else _FORWARD)
        else:
            super().keyPressEvent(event)

    def _find_from_start(self) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._editor.setTextCursor(cursor)
        self.find_next()

    def _find(self, flags: QTextDocument.FindFlag) -> None:
        words = self.field.text()
        found = not words or self._editor.find(words, flags) or self._find_wrapped(words, flags)
        self._state.setText("" if found else self.tr("Not found"))

    def _find_wrapped(self, words: str, flags: QTextDocument.FindFlag) -> bool:
        before = self._editor.textCursor()
        backwards = flags & QTextDocument.FindFlag.FindBackward
        edge = QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start
        self._editor.moveCursor(edge)
        if self._editor.find(words, flags):
            return True
        self._editor.setTextCursor(before)
        return False
