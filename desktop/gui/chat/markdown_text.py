"""Text of any length in a chat: Markdown without HTML, or as typed, laid out part by part.

An update costs what the last part of a `GrowingText` costs, however long the text is. Loads nothing
and follows no link: it only emits that one was clicked. Then how it looks: distances, cards of code
with colours, quotes, tables, formulas. That changes nothing that the text says, and is bounded by
the length of a part.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QGuiApplication,
    QPainter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QPushButton, QTextBrowser, QWidget

from desktop.gui.chat.growing_text import whole_code
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.results.markdown import MarkdownDocument, plain_formula, read_markdown
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.text_editors import wrap_mode
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QSizeF
    from PySide6.QtGui import (
        QPaintEvent,
        QPalette,
        QResizeEvent,
        QTextBlock,
        QTextDocument,
        QWheelEvent,
    )

    from desktop.gui.chat.growing_text import GrowingText
    from desktop.gui.theme import ColorName, Theme

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


# --- how it looks -----------------------------------------------------------------------------

_FENCE: Final = QTextFormat.Property.BlockCodeFence
_LANGUAGE: Final = QTextFormat.Property.BlockCodeLanguage
_QUOTE: Final = QTextFormat.Property.BlockQuoteLevel
_HEAD: Final = QTextFormat.Property.UserProperty
"""Of the line above a block of code, which says its language."""

PARAGRAPH_GAP: Final = space(2)
LIST_INDENT: Final = space(5)
HEADING_SIZES: Final = 1.4, 1.2, 1.1
"""Of the body text, by the level of the heading; deeper ones are as large as the text, and bold."""
_LINE_HEIGHT: Final = 120
_PROPORTIONAL: Final = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_ITEM_GAP: Final = space(1)
_HEADING_GAP: Final = space(4)
_QUOTE_INDENT: Final = space(4)
_CODE_PADDING: Final = space(3)
_MAX_COLOURED: Final = 20_000
"""Characters of code that are given colours."""


def style_document(
    document: QTextDocument, palette: QPalette, font: QFont, theme: Theme | None = None
) -> None:
    """Give a document that was just read its look; code has colours where there is a theme."""
    document.setIndentWidth(LIST_INDENT)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for block in blocks_of(document):
        _space(cursor, block, font)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _style_table(frame, palette)
    _mark_code_spans(cursor, document, palette)
    _calm_formulas(cursor, document)
    runs = list(_code_runs(document))
    for first, last in reversed(runs):
        _make_card(cursor, document, (first, last), palette, theme)
    cursor.endEditBlock()


def blocks_of(document: QTextDocument) -> Iterator[QTextBlock]:
    """All blocks, also those in tables and cards."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def is_code(block: QTextBlock) -> bool:
    """Whether the block is a line of fenced code."""
    form = block.blockFormat()
    return form.hasProperty(_FENCE) or form.hasProperty(_LANGUAGE)


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """The code of a block, and where the line with its language is laid out."""

    code: str
    place: QRectF


def code_blocks(document: QTextDocument) -> list[CodeBlock]:
    """The fenced blocks of a document that has its look."""
    found: list[CodeBlock] = []
    lines: list[str] = []
    layout, place = document.documentLayout(), QRectF()
    for block in blocks_of(document):
        if is_code(block):
            place = place if lines else layout.blockBoundingRect(_head_of(block))
            lines.append(block.text())
        elif lines:
            found.append(CodeBlock("\n".join(lines), place))
            lines = []
    return [*found, CodeBlock("\n".join(lines), place)] if lines else found


def quote_bars(document: QTextDocument) -> list[QRectF]:
    """Where the bars at the left of quotes stand."""
    layout = document.documentLayout()
    bars: list[QRectF] = []
    for block in blocks_of(document):
        if level := block.blockFormat().intProperty(_QUOTE):
            text = layout.blockBoundingRect(block)
            left = _QUOTE_INDENT * (level - 1)
            bars.append(QRectF(left, text.top() - 2, space(0.75), text.height() + 4))
    return bars


def _head_of(block: QTextBlock) -> QTextBlock:
    before = block.previous()
    return before if before.isValid() and before.blockFormat().hasProperty(_HEAD) else block


def _space(cursor: QTextCursor, block: QTextBlock, font: QFont) -> None:
    """Distances of a block by what it is; headings of a size that fits the text."""
    form = block.blockFormat()
    level = form.headingLevel()
    if level:
        size = HEADING_SIZES[level - 1] if level <= len(HEADING_SIZES) else 1.0
        _set_heading(cursor, block, font.pointSizeF() * size)
    if not is_code(block):
        form.setLineHeight(_LINE_HEIGHT, _PROPORTIONAL)
    is_first = block.blockNumber() == 0
    form.setTopMargin(_HEADING_GAP if level and not is_first else 0)
    form.setBottomMargin(_gap_below(block))
    if quote := form.intProperty(_QUOTE):
        form.setLeftMargin(_QUOTE_INDENT * quote)
        form.setRightMargin(0)
    cursor.setPosition(block.position())
    cursor.setBlockFormat(form)


def _gap_below(block: QTextBlock) -> float:
    if is_code(block):
        return 0
    after = block.next()
    is_inside = _is_item(block) and after.isValid() and _is_item(after)
    return _ITEM_GAP if is_inside else PARAGRAPH_GAP


def _is_item(block: QTextBlock) -> bool:
    return bool(block.textList())  # none where there is no list, whatever the stubs say


def _set_heading(cursor: QTextCursor, block: QTextBlock, size: float) -> None:
    for span in list(block.textFormats()):
        look = QTextCharFormat(span.format)
        look.clearProperty(QTextFormat.Property.FontSizeAdjustment)  # it would go first
        look.setFontPointSize(size)
        look.setFontWeight(QFont.Weight.DemiBold)
        _select(cursor, block, span.start, span.start + span.length)
        cursor.setCharFormat(look)


def _select(cursor: QTextCursor, block: QTextBlock, start: int, end: int) -> None:
    cursor.setPosition(block.position() + start)
    cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)


# --- tables -----------------------------------------------------------------------------------


def _style_table(table: QTextTable, palette: QPalette) -> None:
    look = table.format().toTableFormat()
    look.setBorderBrush(palette.mid())
    look.setBorder(1)
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setBorderCollapse(True)
    look.setCellPadding(space(1.5))
    look.setCellSpacing(0)
    look.setTopMargin(space(1))
    look.setBottomMargin(PARAGRAPH_GAP)
    look.setWidth(QTextLength())
    table.setFormat(look)
    for row in range(table.rows()):
        for column in range(table.columns()):
            _style_cell(table, row, column, palette)


def _style_cell(table: QTextTable, row: int, column: int, palette: QPalette) -> None:
    """All cells alike: Qt gives the first one what the block before the table had."""
    cell = table.cellAt(row, column)
    cursor = cell.firstCursorPosition()
    if not cursor.block().text() and cursor.block() != cell.lastCursorPosition().block():
        cursor.deleteChar()  # an empty line of what stands before the table
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    form = QTextBlockFormat()
    form.setAlignment(cursor.blockFormat().alignment())
    cursor.setBlockFormat(form)
    if row == 0:
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        cursor.mergeCharFormat(bold)
        look = cell.format()
        look.setBackground(palette.alternateBase())
        cell.setFormat(look)


# --- code -------------------------------------------------------------------------------------


def _mark_code_spans(cursor: QTextCursor, document: QTextDocument, palette: QPalette) -> None:
    look = QTextCharFormat()
    look.setBackground(palette.alternateBase())
    for block in blocks_of(document):
        if is_code(block):
            continue
        for start, end in _fixed_spans(block):
            _select(cursor, block, start, end)
            cursor.mergeCharFormat(look)


def _fixed_spans(block: QTextBlock) -> list[tuple[int, int]]:
    """Where `code` stands in a line."""
    spans = block.textFormats()
    return [(each.start, each.start + each.length) for each in spans if _is_fixed(each.format)]


def _is_fixed(look: QTextCharFormat) -> bool:
    return look.fontFixedPitch()


def _code_runs(document: QTextDocument) -> Iterator[tuple[int, int]]:
    """The first and the last position of each block of code, by its lines."""
    first = last = -1
    for block in blocks_of(document):
        if is_code(block):
            first = block.position() if first < 0 else first
            last = block.position() + block.length() - 1
        elif first >= 0:
            yield first, last
            first = -1
    if first >= 0:
        yield first, last


def _make_card(
    cursor: QTextCursor,
    document: QTextDocument,
    run: tuple[int, int],
    palette: QPalette,
    theme: Theme | None,
) -> None:
    """Put the lines into a frame, below a line that says the language."""
    cursor.setPosition(run[0])
    language = cursor.blockFormat().stringProperty(_LANGUAGE)
    if theme is not None:
        _colour(cursor, document, run, language, theme)
    cursor.setPosition(run[0])
    code = cursor.blockFormat()
    cursor.setPosition(run[1], QTextCursor.MoveMode.KeepAnchor)
    frame = cursor.insertFrame(_card(palette))
    at = frame.firstCursorPosition()
    at.setBlockFormat(code)  # that of the first line stays outside
    head = QTextBlockFormat()
    head.setProperty(_HEAD, True)
    head.setBottomMargin(space(1))
    look = QTextCharFormat()
    look.setForeground(palette.placeholderText())
    at.insertText(language or " ", look)
    at.insertBlock(code)
    frame.firstCursorPosition().setBlockFormat(head)
    for place in (frame.firstPosition() - 1, frame.lastPosition() + 1):
        _flatten(document.findBlock(place))


def _flatten(block: QTextBlock) -> None:
    """Take the height of a line that is there only because a frame has one before and after it."""
    if not block.isValid() or block.text():
        return
    flat = QTextBlockFormat()
    flat.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    QTextCursor(block).setBlockFormat(flat)


def _card(palette: QPalette) -> QTextFrameFormat:
    look = QTextFrameFormat()
    look.setBackground(palette.alternateBase())
    look.setBorder(1)
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setBorderBrush(palette.mid())
    look.setPadding(_CODE_PADDING)
    look.setBottomMargin(PARAGRAPH_GAP)
    return look


_TOKENS: Final[tuple[tuple[str, ColorName], ...]] = (
    ("Token.Comment", "muted"),
    ("Token.Literal.String", "success"),
    ("Token.Literal.Number", "warning"),
    ("Token.Keyword", "accent"),
    ("Token.Name.Tag", "accent"),
    ("Token.Name.Builtin", "accent"),
    ("Token.Generic.Deleted", "danger"),
    ("Token.Generic.Inserted", "success"),
    ("Token.Operator.Word", "accent"),
)
"""The kinds of words that have a colour, by how their names in Pygments begin."""


def _colour(
    cursor: QTextCursor,
    document: QTextDocument,
    run: tuple[int, int],
    language: str,
    theme: Theme,
) -> None:
    """Colour the code by its language; one that nobody knows stays as it is."""
    code = "\n".join(
        block.text() for block in blocks_of(document) if run[0] <= block.position() <= run[1]
    )
    if not language or len(code) > _MAX_COLOURED:
        return
    for start, end, name in coloured_words(code, language):
        look = QTextCharFormat()
        look.setForeground(QBrush(QColor(theme.color(name))))
        cursor.setPosition(run[0] + start)
        cursor.setPosition(run[0] + end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)


def coloured_words(code: str, language: str) -> list[tuple[int, int, ColorName]]:
    """Start, end and colour of each word of `code` that has one."""
    # With the first block of code: 15 ms.
    from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType] its options have no type
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language.split()[0].lower())
    except (ClassNotFound, IndexError):
        return []
    found: list[tuple[int, int, ColorName]] = []
    for at, kind, word in lexer.get_tokens_unprocessed(code):
        kind_name = str(kind)
        colour = _colour_of(kind_name)
        if colour is not None:
            found.append((_units(code[:at]), _units(code[: at + len(word)]), colour))
    return found


def _colour_of(kind: str) -> ColorName | None:
    return next((colour for start, colour in _TOKENS if kind.startswith(start)), None)


def _units(text: str) -> int:
    """The length of a text as Qt counts: letters outside of the first plane are two."""
    return len(text) if text.isascii() else len(text) + sum(letter > "\uffff" for letter in text)


# --- formulas ---------------------------------------------------------------------------------

_FORMULA: Final = re.compile(r"(\${1,2})(?=\S)([^$\n]{1,300}?)(?<=\S)\1(?![\d$])")
_MATHEMATICAL: Final = re.compile(r"[\\^_={}<>+*/|]|^\s*\w\s*$|[a-zA-Z]\s*\(")


def _calm_formulas(cursor: QTextCursor, document: QTextDocument) -> None:
    """Write `$x^2$` as x², in italics."""
    look = QTextCharFormat()
    look.setFontItalic(True)
    for block in list(blocks_of(document)):
        if "$" not in block.text() or is_code(block):
            continue
        spans = _fixed_spans(block)
        for found in reversed(list(_FORMULA.finditer(block.text()))):
            is_code_span = any(start <= found.start() < end for start, end in spans)
            if is_code_span or not _MATHEMATICAL.search(found[2]):
                continue
            start, end = _units(block.text()[: found.start()]), _units(block.text()[: found.end()])
            _select(cursor, block, start, end)
            form = cursor.charFormat()
            form.merge(look)
            cursor.insertText(plain_formula(found[2]), form)
