"""Shows the lines of a comparison with what was taken away and what came, by sign and colour.

Must not compare: it gets the lines.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop.gui.theme import style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import ColorName, Theme
    from desktop.history.diff import LineKind, Part

_SIGNS: dict[LineKind, str] = {"same": "  ", "removed": "- ", "added": "+ ", "gap": "⋯"}
_TINTS: dict[LineKind, tuple[ColorName, ColorName]] = {
    "removed": ("danger", "danger_soft"),
    "added": ("success", "success_soft"),
}


class DiffView(QPlainTextEdit):
    """Unified: both sides in one column, as version control shows them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFont(theme.mono_font())
        style(self, "well", "mono")
        self._theme = theme
        self._part: Part | None = None
        theme.changed.connect(self._tint)

    def show_part(self, part: Part) -> None:
        self._part = part
        self.setPlainText("\n".join(_SIGNS[line.kind] + line.text for line in part.lines))
        self._tint()

    def _tint(self) -> None:
        """Lines of one kind at once: each change of a format costs the same, however long."""
        if self._part is None:
            return
        document, first = self.document(), 0
        for kind, lines in groupby(self._part.lines, lambda line: line.kind):
            last = first + len(list(lines)) - 1
            if kind in _TINTS:
                text, ground = map(self._theme.color, _TINTS[kind])
                cursor = QTextCursor(document.findBlockByNumber(first))
                end = document.findBlockByNumber(last)
                cursor.setPosition(
                    end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor
                )
                whole, letters = QTextBlockFormat(), QTextCharFormat()
                whole.setBackground(ground)
                letters.setForeground(text)
                cursor.setBlockFormat(whole)
                cursor.setCharFormat(letters)
            first = last + 1
