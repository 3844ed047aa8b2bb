"""The arguments of a program, one per line."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

from desktop.gui.theme import space, style

_LINES = 4


class ArgumentsEdit(QPlainTextEdit):
    """Arguments that nobody touched come back as they were, even with line breaks in them."""

    def __init__(self) -> None:
        super().__init__()
        self._loaded: tuple[str, ...] = ()
        self._text = ""
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + space(5))
        style(self, "mono")

    def arguments(self) -> tuple[str, ...]:
        if self.toPlainText() == self._text:
            return self._loaded
        return tuple(line for line in self.toPlainText().splitlines() if line.strip())

    def show_arguments(self, arguments: tuple[str, ...]) -> None:
        self._loaded = arguments
        self.setPlainText("\n".join(arguments))
        self._text = self.toPlainText()
