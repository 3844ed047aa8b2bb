"""One tool result as a person wants to see it: status, then text, tree, images and the rest.

Shows; runs nothing. Everything from the server is plain text or bounded pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from desktop.gui.results.card_column import CardColumn
from desktop.gui.results.content_card import ContentCard
from desktop.gui.results.error_card import ErrorCard
from desktop.gui.results.image_card import ImageCard
from desktop.gui.results.json_tree_view import JsonTreeView
from desktop.gui.results.status_line import StatusLine
from desktop.gui.results.structured import NOTHING, Structured, structured_of
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import Theme, space

if TYPE_CHECKING:
    from desktop.tools.result import ToolResult


class ResultView(QWidget):
    """The last result it was given; only the tabs that have something to show are there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._structured: Structured = NOTHING
        self.result: ToolResult | None = None
        self.status = StatusLine(self)
        self.error = ErrorCard(theme, self)
        self.text = TextView(theme, self)
        self.tree = JsonTreeView(theme, self)
        self.images = CardColumn(self.tr("Images"), self)
        self.other = CardColumn(self.tr("Other content"), self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, space(2), 0, 0)
        layout.setSpacing(space(2))
        layout.addWidget(self.status)
        layout.addWidget(self.error)
        layout.addWidget(self.tabs, 1)
        layout.addStretch(0)
        for page in (self.text, self.tree, self.images, self.other, self.error):
            page.hide()

    def show_result(self, result: ToolResult, name: str = "result") -> None:
        """Show `result` in place of the one before; `name` is proposed when saving."""
        self.result = result
        chosen = self.tabs.currentWidget() if self.tabs.count() else self.text
        self.status.show_result(result)
        self.error.setVisible(result.error is not None)
        if result.error is not None:
            self.error.show_error(result.error)
        self._fill(result, name)
        self.tabs.setVisible(self.tabs.count() > 0)
        self.tabs.setCurrentIndex(max(0, self.tabs.indexOf(chosen)))

    def _fill(self, result: ToolResult, name: str) -> None:
        self.tabs.clear()
        if _has_own_text(result):
            self.text.show_text(result.output, name)
            self.tabs.addTab(self.text, self.tr("Text"))
        structured = structured_of(result)
        if structured.found or structured.waiting:
            self.tree.show_structured(structured)
            self.tabs.addTab(self.tree, self.tr("Structured"))
        self._fill_cards(result)

    def _fill_cards(self, result: ToolResult) -> None:
        images = [block for block in result.content if block.kind == "image"]
        if images:
            self.images.show_cards(images, ImageCard)
            title = self.tr("Images ({count})").format(count=len(images))
            self.tabs.addTab(self.images, title)
        other = [block for block in result.content if block.kind in ("audio", "resource", "link")]
        if other:
            self.other.show_cards(other, lambda block: ContentCard(self._theme, block))
            title = self.tr("Other content ({count})").format(count=len(other))
            self.tabs.addTab(self.other, title)


def _has_own_text(result: ToolResult) -> bool:
    """Whether the text says more than the error card does already."""
    said = result.error.message.strip() if result.error else ""
    return bool(result.output) and result.output.strip() != said
