"""A text from elsewhere that a person reads before deciding: exact, bounded, never markup.

As high as its lines, up to a limit. What is longer scrolls; on a page that scrolls itself, it ends
with *Show all*, which opens it in place. Must not hide that something is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import QPushButton

from desktop.gui.layouts import NO_LIMIT
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.widgets.visibility import scroll_area_around

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Role

MAX_SHOWN_LENGTH: Final = 20_000
"""Characters that are shown."""
MAX_LINES: Final = 14
"""Lines that are seen at first."""
_TALLEST: Final = space(1000)  # pixels: higher than windows are


class BoundedText(WrappedTextEditor):
    """Read-only; `show_text` may be called again."""

    def __init__(self, *roles: Role, lines: int = MAX_LINES, parent: QWidget | None = None) -> None:
        """Args: lines: that are seen at first."""
        super().__init__(parent)
        self._lines = lines
        self._is_whole = False
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        style(self, *roles)
        self.more = QPushButton(QCoreApplication.translate("FormLabels", "Show all"), self)
        style(self.more, "link", "small")
        self.more.hide()
        self.more.clicked.connect(self._show_all)

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
        self._is_whole = False
        self.setPlainText(shown)
        self.ensurePolished()  # the font of the role counts from then on
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()
        self.more.move(space(2), self.height() - self.more.height() - space(1))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()  # only now it is known whether what is around it scrolls

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and self.verticalScrollBar().isVisible():
            super().wheelEvent(event)
        else:
            event.ignore()  # who scrolls past means what is around it

    def _fit(self) -> None:
        most = self._lines * self.fontMetrics().lineSpacing() + space(5)
        opens = scroll_area_around(self) is not None
        needed = self.content_height(NO_LIMIT if self._is_whole else _TALLEST)
        is_cut = needed > most and not self._is_whole
        policies = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policies.ScrollBarAlwaysOff if opens else policies.ScrollBarAsNeeded
        )
        self.more.setVisible(is_cut and opens)
        self.more.adjustSize()
        self.setViewportMargins(0, 0, 0, self.more.height() if is_cut and opens else 0)
        self.setMinimumHeight(most if is_cut else needed)
        # Where nothing around it scrolls, it takes the room that is left.
        self.setMaximumHeight(most if is_cut and opens else needed)

    def _show_all(self) -> None:
        self._is_whole = True
        self._fit()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
