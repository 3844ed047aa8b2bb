"""Shows a text of a server as Markdown, when a person asks for it.

No HTML, no image loaded, no link followed or hidden. A text that would take the layout seconds is
refused with the reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QGuiApplication,
    QPainter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from desktop.base.later_patterns import compile_later
from desktop.gui.layouts import Stretch, in_column, in_row
from desktop.gui.results.markdown_look import blocks_of, quote_bars, style_document
from desktop.gui.theme import space, style
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPaintEvent

_MAX_LINK_LENGTH = 2_000


class LinkBar(QFrame):
    """Hidden until a link is offered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = plain_label("", "mono")
        style(self, "card")
        tools = ActionRow(self)
        self.copy_link = tools.link(self.tr("Copy link"), self._copy)
        self.open_link = tools.link(self.tr("Open in the browser"), self._open)
        self.close_link = tools.link(self.tr("Close"), self.hide)
        in_row(self, (self.link, 1), tools.bar, margins=(3, 1, 2, 1), spacing=1.5)
        self.hide()

    def offer(self, url: QUrl) -> None:
        """Show where a link goes; only the web can be opened from here."""
        self.link.setText(url.toString()[:_MAX_LINK_LENGTH])
        self.open_link.setEnabled(url.scheme().lower() in {"http", "https"})
        self.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.link.text())

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl(self.link.text(), QUrl.ParsingMode.StrictMode))


translate = QCoreApplication.translate

MAX_CHARACTERS = 50_000
"""Reading and laying out so many takes about 40 ms."""
MAX_STYLED = 20_000
"""Characters of a text that gets the look of Markdown; a longer one is as Qt shows it."""
MAX_PARAGRAPH_LENGTH = 8_000
"""Characters of one paragraph: laying it out takes about 20 ms."""
MAX_CELLS = 400
"""Cells of tables; with more the tables stay as they were typed (15,000 take 3 s)."""

_TABLE_RULE = compile_later(r"^[ >\t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-*:?[ \t]*)*$", re.MULTILINE)
_MAX_TARGET_LENGTH = 300


class MarkdownDocument(QTextDocument):
    """Loads nothing, whatever it is asked for."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None


def read_markdown(text: str, parent: QObject | None = None) -> MarkdownDocument | str:
    """The document of `text`, or a sentence why it is not made."""
    if len(text) > MAX_CHARACTERS:
        return translate("Markdown", "This text is too long to be shown as Markdown.")
    features = QTextDocument.MarkdownFeature
    dialect = features.MarkdownDialectGitHub
    if _cells(text) > MAX_CELLS:
        dialect = features.MarkdownDialectCommonMark  # it has no tables
    document = MarkdownDocument(parent)
    document.setUndoRedoEnabled(False)
    document.setMarkdown(text, dialect | features.MarkdownNoHTML)
    if any(block.length() > MAX_PARAGRAPH_LENGTH for block in blocks_of(document)):
        document.deleteLater()
        return translate("Markdown", "Its paragraphs are too long to be shown as Markdown.")
    _show_what_is_meant(document)
    return document


def _cells(text: str) -> int:
    """At most how many cells the tables of `text` have: columns of the widest, times lines."""
    columns = max((rule.group().count("|") + 1 for rule in _TABLE_RULE.finditer(text)), default=0)
    if columns < 2:
        return 0
    return columns * sum("|" in line for line in text.splitlines())


def _show_what_is_meant(document: QTextDocument) -> None:
    """Pictures become words, links say where they go; from the end, so that places stay right."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for start, end, form in reversed(_special(document)):
        if form.isImageFormat():
            image = form.toImageFormat()
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            alt = str(image.property(QTextFormat.Property.ImageAltText) or "")
            shown = " ".join(part for part in (alt, image.name()[:_MAX_TARGET_LENGTH]) if part)
            words = translate("Markdown", "[Picture, not loaded: {name}]").format(name=shown)
            cursor.insertText(words, QTextCharFormat())
        else:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            target = form.anchorHref()
            if cursor.selectedText() != target:
                cursor.setPosition(end)
                cursor.insertText(f" ({target[:_MAX_TARGET_LENGTH]})", QTextCharFormat())
    cursor.endEditBlock()


def _special(document: QTextDocument) -> list[tuple[int, int, QTextCharFormat]]:
    """Start, end and format of each picture and each link, in order; a link's pieces as one."""
    forms = {
        number: form.toCharFormat()
        for number, form in enumerate(document.allFormats())
        if form.isImageFormat() or (form.isCharFormat() and form.toCharFormat().anchorHref())
    }
    found: list[tuple[int, int, QTextCharFormat]] = []
    for block in blocks_of(document) if forms else ():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            if (form := forms.get(fragment.charFormatIndex())) is not None:
                start, end = fragment.position(), fragment.position() + fragment.length()
                before = found[-1] if found else None
                if form.isImageFormat():
                    # Pictures of one format side by side are one fragment, a character each.
                    found += [(at, at + 1, form) for at in range(start, end)]
                elif before and before[1] == start and before[2].anchorHref() == form.anchorHref():
                    found[-1] = (before[0], end, form)
                else:
                    found.append((start, end, form))
            fragments += 1
    return found


class _Page(QTextBrowser):
    """A browser that goes nowhere and gets nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.has_bars = False  # whether there may be quotes, which have one at their left

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.has_bars:
            painter = QPainter(self.viewport())
            margin, scrolled = self.document().documentMargin(), self.verticalScrollBar().value()
            for bar in quote_bars(self.document()):
                painter.fillRect(bar.translated(margin, -scrolled), self.palette().mid())
            painter.end()
        super().paintEvent(event)

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
        self.refusal = plain_label("", "muted")
        self.link_bar = LinkBar(self)
        self.page.anchorClicked.connect(self.link_bar.offer)
        in_column(
            self,
            (self.page, 1),
            self.refusal,
            self.link_bar,
            Stretch(0),
            spacing=1,
        )
        self.refusal.hide()

    def show_text(self, text: str) -> bool:
        """Show `text`, or say why not: then false."""
        self.link_bar.hide()
        self._text = text
        return self._read()

    def content_height(self, limit: int) -> int:
        """Pixels that all of it needs; `limit` where it was not read."""
        needed = round(self.page.document().size().height()) + space(4)
        return needed if not self.page.isHidden() and self.link_bar.isHidden() else limit

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
            is_styled = len(self._text) <= MAX_STYLED
            if is_styled:
                style_document(made, self.page.palette(), self.page.font())
            old = self.page.document()
            self.page.setDocument(made)
            self.page.has_bars = is_styled and ">" in self._text
            if isinstance(old, MarkdownDocument):
                old.deleteLater()
        else:
            self.refusal.setText(made)
        self.page.setVisible(is_shown)
        self.refusal.setVisible(not is_shown)
        return is_shown
