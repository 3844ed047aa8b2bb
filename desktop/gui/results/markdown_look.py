"""How Markdown looks in chats and results: distances, cards of code, quotes, tables, formulas.

Changes nothing that the text says. Costs as much as the text is long: who calls it bounds that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from desktop.base.later_patterns import compile_later
from desktop.gui.theme import space

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from PySide6.QtGui import QPalette, QTextBlock, QTextDocument

    from desktop.gui.theme import ColorName, Theme

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


class CodeBlock(Struct, frozen=True):
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

_FORMULA: Final = compile_later(r"(\${1,2})(?=\S)([^$\n]{1,300}?)(?<=\S)\1(?![\d$])")
_MATHEMATICAL: Final = compile_later(r"[\\^_={}<>+*/|]|^\s*\w\s*$|[a-zA-Z]\s*\(")


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


_COMMAND: Final = compile_later(r"\\([a-zA-Z]+|[,;:! {}%&_#])")
_FRACTION: Final = compile_later(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_SCRIPT: Final = compile_later(r"([\^_])(?:\{([^{}]{1,20})\}|(\w|[+-]))")
_RAISED: Final = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
_LOWERED: Final = dict(
    zip("0123456789+-=()aeoxhklmnpstij", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼ", strict=True)
)
_SYMBOLS: Final = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "infty": "∞", "sum": "∑", "prod": "∏",
    "int": "∫", "partial": "∂", "nabla": "∇", "sqrt": "√", "in": "∈", "notin": "∉", "subset": "⊂",
    "cup": "∪", "cap": "∩", "forall": "∀", "exists": "∃", "to": "→", "rightarrow": "→",
    "Rightarrow": "⇒", "leftarrow": "←", "ldots": "…", "dots": "…", "cdots": "⋯", "alpha": "α",
    "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ", "lambda": "λ", "mu": "μ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω", "Gamma": "Γ",
    "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Omega": "Ω",
    ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "quad": "  ", "left": "", "right": "",
    "text": "", "mathrm": "", "mathbf": "", "displaystyle": "",
}  # fmt: skip


def plain_formula(formula: str) -> str:
    """A formula of TeX in letters; what it does not know stays as it was written."""
    text = _FRACTION.sub(r"(\1)/(\2)", formula)
    text = _COMMAND.sub(lambda found: _SYMBOLS.get(found[1], found[0]), text)
    text = _SCRIPT.sub(_script, text)
    return text.replace("{", "").replace("}", "").strip()


def _script(found: re.Match[str]) -> str:
    inner = found[2] or found[3]
    letters = _RAISED if found[1] == "^" else _LOWERED
    made = "".join(letters.get(letter, letter) for letter in inner)
    is_whole = not any(was == now for was, now in zip(inner, made, strict=True))
    return made if is_whole else f"{found[1]}{inner if len(inner) == 1 else f'({inner})'}"
