"""Shows a text as Markdown because a person asked for it. Follows no link, loads nothing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtWidgets import QLabel, QTextBrowser, QVBoxLayout, QWidget

from desktop.gui.results.link_bar import LinkBar
from desktop.gui.results.markdown import MarkdownDocument, read_markdown
from desktop.gui.theme import space, style


class _Page(QTextBrowser):
    """A browser that goes nowhere and gets nothing."""

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        return None


class MarkdownView(QWidget):
    """The page, and below it a chosen link with what a person may do with it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.page = _Page(self)
        self.page.setOpenLinks(False)
        self.page.setOpenExternalLinks(False)
        self.page.setAccessibleName(self.tr("The text as Markdown"))
        self.refusal = QLabel(self)
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        self.refusal.setWordWrap(True)
        self.link_bar = LinkBar(self)
        self.page.anchorClicked.connect(self.link_bar.offer)
        style(self.refusal, "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        for widget in (self.page, self.refusal, self.link_bar):
            layout.addWidget(widget, 1 if widget is self.page else 0)
        layout.addStretch(0)
        self.refusal.hide()

    def show_text(self, text: str) -> bool:
        """Show `text`, or say why not: then false."""
        self.link_bar.hide()
        self._text = text
        return self._read()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._text:
            bar = self.page.verticalScrollBar()
            place = bar.value()
            self._read()  # a document keeps the colours it was read with
            bar.setValue(place)

    def _read(self) -> bool:
        made = read_markdown(self._text, self.page)
        is_shown = isinstance(made, MarkdownDocument)
        if isinstance(made, MarkdownDocument):
            made.setDefaultFont(self.page.font())
            old = self.page.document()
            self.page.setDocument(made)
            if isinstance(old, MarkdownDocument):
                old.deleteLater()
        else:
            self.refusal.setText(made)
        self.page.setVisible(is_shown)
        self.refusal.setVisible(not is_shown)
        return is_shown
