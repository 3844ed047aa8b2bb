"""Text of any length in a chat: Markdown without HTML, or as typed, laid out part by part.

An update costs what the last part of a `GrowingText` costs, however long the text is. Loads nothing
and follows no link: it only emits that one was clicked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
)
from PySide6.QtWidgets import QFrame, QPushButton, QTextBrowser, QWidget

from desktop.features.chat.gui.growing_text import whole_code
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.results.markdown import MarkdownDocument, read_markdown
from desktop.gui.results.markdown_look import CodeBlock, code_blocks, quote_bars, style_document
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.text_editors import wrap_mode
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from PySide6.QtCore import QSizeF
    from PySide6.QtGui import (
        QPaintEvent,
        QResizeEvent,
        QWheelEvent,
    )

    from desktop.features.chat.gui.growing_text import GrowingText
    from desktop.gui.theme import Theme

MAX_BUTTONS: Final = 20
"""Blocks of one part that get a button."""
_TOLD_MS: Final = 1500


class MarkdownText(QTextBrowser):
    """Never scrolls by itself: what is around it does."""

    copy_requested = Signal(object)
    """The `CopyCodeButton` that was pressed."""

    def __init__(self, parent: QWidget | None = None, theme: Theme | None = None) -> None:
        """Create an empty text; code in it has the colours of `theme`, without one it has none."""
        super().__init__(parent)
        self._theme = theme
        self._bars: list[QRectF] = []
        self.text = ""
        self.copies: list[CopyCodeButton] = []
        self._has_copies = False
        self._is_markdown = False
        self._colors = self._wanted_colors()
        style(self, "prose")
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.WidgetWidth)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAcceptDrops(False)  # what is dropped here is for the composer
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

    def offer_copies(self) -> None:
        """Put a button at each block of code; the text is whole."""
        if not self._has_copies:
            self._has_copies = True
            self._place_copies()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_copies()

    def _place_copies(self) -> None:
        if not (self._has_copies and self._is_markdown):
            return
        may_have = "```" in self.text or "~~~" in self.text
        found = code_blocks(self.document())[:MAX_BUTTONS] if may_have else []
        while len(self.copies) > len(found):
            discard(self.copies.pop())
        while len(self.copies) < len(found):
            button = CopyCodeButton(self)
            button.copy_requested.connect(self.copy_requested)
            self.copies.append(button)
        for button, block in zip(self.copies, found, strict=True):
            button.show_at(block, self.viewport().width())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # A document keeps the colours it was read with. The style sheet tells of a change, too,
        # each time that it looks at the widget.
        is_news = (
            event.type() == QEvent.Type.PaletteChange and self._colors != self._wanted_colors()
        )
        if is_news and self._is_markdown and self.text:
            self._read(self.text)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._bars:
            painter = QPainter(self.viewport())
            for bar in self._bars:
                painter.fillRect(bar, self.palette().mid())
            painter.end()
        super().paintEvent(event)

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
            style_document(made, self.palette(), self.font(), self._theme)
            old = self.document()
            self.setDocument(made)
            if isinstance(old, MarkdownDocument):
                old.deleteLater()
        else:
            self.setWordWrapMode(wrap_mode(text))
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
        self._bars = quote_bars(self.document()) if self._is_markdown and ">" in self.text else []
        self._place_copies()


PARTS_AT_ONCE = 6
"""Parts that are built unasked, and each time more are asked for."""
MAX_LIVE = 80
"""Parts that are shown while they arrive."""
A_TURN = 1
"""Parts that are built between two turns of the loop."""
_WIDTH = space(150)


class MarkdownColumn(QWidget):
    """Parts, and a button for the next ones where there are more."""

    link_activated = Signal(QUrl)
    """The target of a link that a person clicked."""
    settled = Signal()
    """All parts that are wanted are there."""

    def __init__(
        self,
        parent: QWidget | None = None,
        theme: Theme | None = None,
        *,
        is_markdown: bool = True,
    ) -> None:
        """Create an empty column; code in it has the colours of `theme`."""
        super().__init__(parent)
        self._theme = theme
        self._is_markdown = is_markdown
        self._text: GrowingText | None = None
        self._limit = PARTS_AT_ONCE
        self._is_live = False
        self._settled = 0
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._build_some)
        self.proses: list[MarkdownText] = []
        self.more = QPushButton(self)
        style(self.more, "link", "small")
        self.more.clicked.connect(self._show_more)
        self.more.hide()
        self._column = in_column(self, (self.more, LEFT))

    def show_text(self, text: GrowingText, *, is_live: bool = False) -> None:
        """Show `text` as far as it has come; call again when it has grown, or is another one."""
        if text is not self._text:
            self._text, self._settled = text, 0
        self._is_live = is_live
        if is_live:
            self._limit = max(self._limit, MAX_LIVE)
        while len(self.proses) > min(len(text.parts), self._limit):
            left = self.proses.pop()
            self._column.removeWidget(left)
            left.hide()
            left.deleteLater()
        self._build_some()

    def _build_some(self) -> None:
        """A part or two, and the others in the next turns of the loop."""
        if self._text is None:
            return
        parts = self._text.parts
        wanted = parts[: self._limit]
        last = min(self._settled + A_TURN, len(wanted))
        for at in range(self._settled, last):
            self._show_part(at, wanted[at])
        self._settled = min(last, len(self._text.done))
        if last < len(wanted):
            self._turn.start()
        else:
            if not self._is_live:
                for prose in self.proses:
                    prose.offer_copies()
            self.settled.emit()
        self._tell_rest(sum(map(len, parts[self._limit :])))

    def _show_part(self, at: int, part: str) -> None:
        if at == len(self.proses):
            prose = MarkdownText(self, self._theme)
            prose.resize(max(self.width(), _WIDTH), prose.height())  # else laid out twice
            prose.anchorClicked.connect(self.link_activated)
            prose.copy_requested.connect(self._copy)
            self.proses.append(prose)
            self._column.insertWidget(at, prose)
        if self._is_markdown:
            self.proses[at].show_markdown(part)
        else:
            self.proses[at].show_plain(part)

    def _tell_rest(self, left: int) -> None:
        single, plural = (
            self.tr("Show more (1 character)"),
            self.tr("Show more ({count} characters)"),
        )
        self.more.setText(counted(left, single, plural))
        self.more.setVisible(left > 0)

    def _copy(self, button: CopyCodeButton) -> None:
        """All of the block, also where it is laid out in several parts."""
        text = self._text
        code = whole_code(button.code, text.parts, text.text) if text is not None else button.code
        button.put_on_clipboard(code)

    def _show_more(self) -> None:
        self._limit += PARTS_AT_ONCE
        if self._text is not None:
            self.show_text(self._text)


class CopyCodeButton(QPushButton):
    """Says for a moment that it was done."""

    copy_requested = Signal(object)
    """Itself."""

    def __init__(self, browser: QTextBrowser) -> None:
        super().__init__(browser.viewport())
        self.code = ""
        self._is_told = False
        self._over = QTimer(self, singleShot=True, interval=_TOLD_MS)
        self._over.timeout.connect(self._forget)
        style(self, "link", "small")
        self.clicked.connect(lambda: self.copy_requested.emit(self))
        self._set_texts()

    def put_on_clipboard(self, code: str) -> None:
        """Copy, and say so."""
        QGuiApplication.clipboard().setText(code)
        self._is_told = True
        self._set_texts()
        self._over.start()

    def show_at(self, block: CodeBlock, width: int) -> None:
        """Take the place at the end of the block's first line."""
        self.code = block.code
        self.adjustSize()
        top = round(block.place.top()) - (self.height() - round(block.place.height())) // 2
        self.move(QPoint(max(0, width - self.width() - space(1)), max(0, top)))
        self.show()

    def _set_texts(self) -> None:
        self.setText(self.tr("Copied") if self._is_told else self.tr("Copy"))
        self.setAccessibleName(self.tr("Copy this code"))

    def _forget(self) -> None:
        self._is_told = False
        self._set_texts()
