"""A chosen link with what a person may do with it. Follows it only when told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from desktop.gui.results.tool_row import ActionRow
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SHOWN_LINK = 2_000


class LinkBar(QFrame):
    """Hidden until a link is offered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = QLabel(self)
        self.link.setTextFormat(Qt.TextFormat.PlainText)
        self.link.setWordWrap(True)
        style(self, "card")
        style(self.link, "mono")
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(1), space(2), space(1))
        row.addWidget(self.link, 1)
        tools = ActionRow(self)
        self.copy_link = tools.link(self.tr("Copy link"), self._copy)
        self.open_link = tools.link(self.tr("Open in the browser"), self._open)
        self.close_link = tools.link(self.tr("Close"), self.hide)
        row.addWidget(tools.bar)
        self.hide()

    def offer(self, url: QUrl) -> None:
        """Show where a link goes; only the web can be opened from here."""
        self.link.setText(url.toString()[:_SHOWN_LINK])
        self.open_link.setEnabled(url.scheme().lower() in {"http", "https"})
        self.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.link.text())

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl(self.link.text(), QUrl.ParsingMode.StrictMode))
