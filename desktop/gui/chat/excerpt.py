"""A text from a model or a server to be read where it stands: exact, bounded, read-only.

As JSON for arguments, as lines added and removed for a difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QEvent
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit

from desktop.gui.chat.wrapping import wrap_mode
from desktop.gui.counted import counted
from desktop.gui.form.json_highlighter import JsonHighlighter
from desktop.gui.results.structured import to_text
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from PySide6.QtGui import QTextDocument, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import ColorName, Theme

    Kind: TypeAlias = Literal["json", "difference"]

LONGEST = 20_000
_MOST_LINES = 14
_WIDE = 90
_SIGNS: dict[str, ColorName] = {"+": "success", "-": "danger", "@": "muted"}


class DifferenceHighlighter(QSyntaxHighlighter):
    """Lines of a unified diff in the colours of the theme; their signs stay."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str, /) -> None:
        if (color := _SIGNS.get(text[:1])) is not None:
            form = QTextCharFormat()
            form.setForeground(self._theme.color(color))
            self.setFormat(0, len(text), form)


class CodePreview(QPlainTextEdit):
    """As high as its lines, up to a limit; then it scrolls."""

    def __init__(self, theme: Theme, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_json = kind == "json"
        self.setReadOnly(True)
        style(self, "well", "mono")
        highlighter = JsonHighlighter if self._is_json else DifferenceHighlighter
        self._highlighter = highlighter(self.document(), theme)
        self._translate()

    def show_arguments(self, arguments: Mapping[str, Any]) -> None:
        """Show arguments as JSON that can be read."""
        self.show_text(to_text(dict(arguments)) if arguments else "{}")

    def show_text(self, text: str) -> None:
        """Show a text; how much is beyond the limit is told at its end."""
        left = len(text) - LONGEST
        one, many = self.tr("\n… 1 more character"), self.tr("\n… {count} more characters")
        rest = counted(left, one, many) if left > 0 else ""
        shown = text[:LONGEST] + rest
        if shown == self.toPlainText():
            return
        self.setWordWrapMode(wrap_mode(shown))
        self.setPlainText(shown)
        self.ensurePolished()  # the font of the role counts from then on
        wrapped = sum(len(line) // _WIDE for line in shown[:4_000].splitlines())
        lines = min(_MOST_LINES, self.blockCount() + wrapped)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + space(5))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # who scrolls past means the conversation

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.setAccessibleName(self.tr("Arguments") if self._is_json else self.tr("Difference"))
