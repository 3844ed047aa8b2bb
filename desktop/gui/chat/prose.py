"""One part of a text of a conversation, as high as it is: Markdown without HTML, or as typed.

Loads nothing and goes nowhere: a link is only told (`anchorClicked`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QTextBrowser

from desktop.gui.chat.prose_look import dress
from desktop.gui.chat.wrapping import wrap_mode
from desktop.gui.results.markdown import MarkdownDocument, read_markdown
from desktop.gui.theme import style

if TYPE_CHECKING:
    from PySide6.QtCore import QSizeF, QUrl
    from PySide6.QtGui import QColor, QWheelEvent
    from PySide6.QtWidgets import QWidget


class MarkdownText(QTextBrowser):
    """Never scrolls by itself: what is around it does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self._is_markdown = False
        self._colors = self._wanted_colors()
        style(self, "prose")
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.WidgetWidth)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._prepare()

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        return None

    def show_markdown(self, text: str) -> None:
        """Show `text`; where it is too much for Markdown, as it was typed.

        While some of it is selected nothing changes: the next call shows it all.
        """
        if text == self.text or self.textCursor().hasSelection():
            return
        self.text, self._is_markdown = text, True
        self._read(text)

    def show_plain(self, text: str) -> None:
        """Show `text` letter by letter."""
        if text != self.text:
            self.text = text
            self.setWordWrapMode(wrap_mode(text))
            self.setPlainText(text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # A document keeps the colours it was read with. The style sheet tells of a change, too,
        # each time that it looks at the widget.
        is_news = (
            event.type() == QEvent.Type.PaletteChange and self._colors != self._wanted_colors()
        )
        if is_news and self._is_markdown and self.text:
            self._read(self.text)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.minimumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _wanted_colors(self) -> tuple[QColor, ...]:
        """Of links, code and tables."""
        palette = self.palette()
        return palette.link().color(), palette.alternateBase().color(), palette.mid().color()

    def _read(self, text: str) -> None:
        self._colors = self._wanted_colors()
        made = read_markdown(text, self)
        if isinstance(made, MarkdownDocument):
            made.setDocumentMargin(0)  # now, and not once it is laid out
            made.setDefaultFont(self.font())
            self.setWordWrapMode(wrap_mode(text))
            dress(made, self.palette())
            old = self.document()
            self.setDocument(made)
            if isinstance(old, MarkdownDocument):
                old.deleteLater()
        else:
            self.setPlainText(text)
        self._prepare()

    def _prepare(self) -> None:
        document = self.document()
        document.setDocumentMargin(0)
        layout = document.documentLayout()
        layout.documentSizeChanged.connect(self._fit)
        self._fit(layout.documentSize())

    def _fit(self, size: QSizeF) -> None:
        bar = self.horizontalScrollBar()
        room = bar.sizeHint().height() if bar.isVisible() else 0
        self.setFixedHeight(math.ceil(size.height()) + 2 * self.frameWidth() + 2 + room)
