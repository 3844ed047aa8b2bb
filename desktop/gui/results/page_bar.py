"""Which part of a long text is shown, and the way to the others. Holds a number, no text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.icons import set_icon


class PageBar(QWidget):
    """Shown only where there is more than one page; numbers count from 0, words from 1."""

    turned = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = 0
        self._count = 1
        self._size = ""
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        style(self.words, "muted", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        self.previous = self._button(theme, "chevron-left", self.tr("Previous part (Ctrl+PgUp)"))
        self.following = self._button(theme, "chevron-right", self.tr("Next part (Ctrl+PgDown)"))
        self.previous.clicked.connect(lambda: self.turn(-1))
        self.following.clicked.connect(lambda: self.turn(1))
        for widget in (self.previous, self.words, self.following):
            layout.addWidget(widget)
        layout.addStretch(1)
        self.hide()

    def set_pages(self, count: int, size: str) -> None:
        """Begin at the first of `count` pages; `size` is that of the whole, in words."""
        self._count, self._size, self.page = count, size, 0
        self.setVisible(count > 1)
        self._tell()

    def turn(self, by: int) -> None:
        if 0 <= self.page + by < self._count:
            self.go_to(self.page + by)

    def go_to(self, page: int) -> None:
        self.page = page
        self._tell()
        self.turned.emit(page)

    def _tell(self) -> None:
        words = self.tr("Part {number} of {count}, {size} in all")
        self.words.setText(words.format(number=self.page + 1, count=self._count, size=self._size))
        self.previous.setEnabled(self.page > 0)
        self.following.setEnabled(self.page < self._count - 1)

    def _button(self, theme: Theme, icon: str, words: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(words)
        button.setAccessibleName(words)
        style(button, "flat")
        set_icon(theme, button, icon, "muted")
        return button
