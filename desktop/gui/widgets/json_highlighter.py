"""Colours JSON while it is typed, a line at a time. Does not judge whether it is JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat

from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from desktop.gui.theme import ColorName, Theme

MAX_LINE_LENGTH: Final = 5000
_TOKEN: Final = compile_later(
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
        if len(text) > MAX_LINE_LENGTH:
            return
        for token in _TOKEN.finditer(text):
            form = QTextCharFormat()
            form.setForeground(self._theme.color(_COLORS[str(token.lastgroup)]))
            self.setFormat(token.start(), token.end() - token.start(), form)
