"""Shows the lines of a comparison with what was taken away and what came, by sign and colour.

Must not compare: it gets the lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop.gui.theme import style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import ColorName, Theme
    from desktop.history.compare import LineKind, Part

_SIGNS: dict[LineKind, str] = {"same": "  ", "removed": "- ", "added": "+ ", "gap": "⋯"}
_TINTS: dict[str, tuple[ColorName, ColorName]] = {
    "- ": ("danger", "danger_soft"),
    "+ ": ("success", "success_soft"),
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
        self._tint = _LineTint(self, theme)

    def show_part(self, part: Part) -> None:
        lines = (_SIGNS[line.kind] + line.text for line in part.lines)
        self.setPlainText("\n".join(lines))


class _LineTint(QSyntaxHighlighter):
    """Colours whole lines by their sign."""

    def __init__(self, editor: QPlainTextEdit, theme: Theme) -> None:
        super().__init__(editor.document())
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        tint = _TINTS.get(text[:2])
        if tint is not None:
            look = QTextCharFormat()
            look.setForeground(self._theme.color(tint[0]))
            look.setBackground(self._theme.color(tint[1]))
            self.setFormat(0, len(text), look)
