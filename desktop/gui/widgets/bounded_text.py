"""A text from elsewhere that a person reads before deciding: exact, bounded, never markup.

As high as its lines, up to a limit; then it scrolls. Must not hide that something is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.text_editors import WrappedTextEditor

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Role

MAX_SHOWN_LENGTH: Final = 20_000
"""Characters that are shown."""
MAX_LINES: Final = 14
"""Lines that are seen without scrolling."""


class BoundedText(WrappedTextEditor):
    """Read-only; `show_text` may be called again."""

    def __init__(
        self,
        *roles: Role,
        lines: int = MAX_LINES,
        columns: int = 90,
        parent: QWidget | None = None,
    ) -> None:
        """Args: lines: that are seen without scrolling. columns: about what a line holds."""
        super().__init__(parent)
        self._lines, self._columns = lines, columns
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        style(self, *roles)

    def show_text(self, text: str) -> None:
        """Show a text; how much is beyond the limit is told at its end."""
        left = len(text) - MAX_SHOWN_LENGTH
        translate = QCoreApplication.translate
        single = translate("BoundedText", "\n… 1 more character")
        plural = translate("BoundedText", "\n… {count} more characters")
        rest = counted(left, single, plural) if left > 0 else ""
        shown = text[:MAX_SHOWN_LENGTH] + rest
        if shown == self.toPlainText():
            return
        self.setPlainText(shown)
        self.ensurePolished()  # the font of the role counts from then on
        wrapped = sum(len(line) // self._columns for line in shown[:4_000].splitlines())
        lines = min(self._lines, self.blockCount() + wrapped)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + space(5))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # who scrolls past means what is around it
