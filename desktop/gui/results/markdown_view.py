"""Shows a text as Markdown because a person asked for it. Follows no link, loads nothing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QTextBrowser, QVBoxLayout, QWidget

from desktop.gui.results.markdown import MarkdownDocument, read_markdown
from desktop.gui.results.tool_row import ToolRow
from desktop.gui.theme import space, style

_SHOWN_LINK = 2_000


class _Page(QTextBrowser):
    """A browser that goes nowhere and gets nothing."""

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        return None


class MarkdownView(QWidget):
    """The page, and below it a chosen link with what a person may do with it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = _Page(self)
        self.page.setOpenLinks(False)
        self.page.setOpenExternalLinks(False)
        self.page.setAccessibleName(self.tr("The text as Markdown"))
        self.page.anchorClicked.connect(self._offer_link)
        self.refusal = QLabel(self)
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        self.refusal.setWordWrap(True)
        self.link = QLabel(self)
        self.link.setTextFormat(Qt.TextFormat.PlainText)
        self.link.setWordWrap(True)
        self.link_bar = QFrame(self)
        style(self.link_bar, "card")
        style(self.link, "mono")
        style(self.refusal, "muted")
        row = QHBoxLayout(self.link_bar)
        row.setContentsMargins(space(3), space(1), space(2), space(1))
        row.addWidget(self.link, 1)
        tools = ToolRow(self.link_bar)
        self.copy_link = tools.link(self.tr("Copy link"), self._copy)
        self.open_link = tools.link(self.tr("Open in the browser"), self._open)
        self.close_link = tools.link(self.tr("Close"), self.link_bar.hide)
        row.addWidget(tools.bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        for widget in (self.page, self.refusal, self.link_bar):
            layout.addWidget(widget, 1 if widget is self.page else 0)
        layout.addStretch(0)
        self.link_bar.hide()
        self.refusal.hide()

    def show_text(self, text: str) -> bool:
        """Show `text`, or say why not: then false."""
        self.link_bar.hide()
        made = read_markdown(text, self.page)
        is_shown = isinstance(made, MarkdownDocument)
        if isinstance(made, MarkdownDocument):
            made.setDefaultFont(self.page.font())
            self.page.setDocument(made)
        else:
            self.refusal.setText(made)
        self.page.setVisible(is_shown)
        self.refusal.setVisible(not is_shown)
        return is_shown

    def _offer_link(self, url: QUrl) -> None:
        self.link.setText(url.toString()[:_SHOWN_LINK])
        self.open_link.setEnabled(url.scheme().lower() in {"http", "https"})
        self.link_bar.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.link.text())

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl(self.link.text(), QUrl.ParsingMode.StrictMode))
