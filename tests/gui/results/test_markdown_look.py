"""Markdown of a chat reads well: distances, headings, lists, quotes, tables, code, formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFont, QPalette, QTextDocument, QTextTable

from desktop.gui.results.markdown import MarkdownDocument, read_markdown
from desktop.gui.results.markdown_look import (
    HEADING_SIZES,
    blocks_of,
    code_blocks,
    coloured_words,
    is_code,
    plain_formula,
    quote_bars,
    style_document,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop.gui.theme import ColorName, Theme

BODY = 10.0


def styled(text: str, theme: Theme | None = None) -> QTextDocument:
    made = read_markdown(text)
    assert isinstance(made, MarkdownDocument)
    font = QFont()
    font.setPointSizeF(BODY)
    made.setDefaultFont(font)
    style_document(made, QPalette(), font, theme)
    made.setTextWidth(700)
    return made


def tops(document: QTextDocument) -> dict[str, tuple[float, float]]:
    """Where each line that says something begins and ends."""
    layout = document.documentLayout()
    places = ((block.text(), layout.blockBoundingRect(block)) for block in blocks_of(document))
    return {text: (place.top(), place.bottom()) for text, place in places if text.strip()}


@pytest.mark.usefixtures("qapp")
def test_paragraphs_stand_8_to_12_pixels_apart() -> None:
    places = tops(styled("one\n\ntwo\n\n> three\n\nfour"))
    ends, begins = list(places.values())[:-1], list(places.values())[1:]
    gaps = [begin[0] - end[1] for end, begin in zip(ends, begins, strict=True)]
    assert all(8 <= gap <= 12 for gap in gaps), gaps


@pytest.mark.usefixtures("qapp")
def test_a_heading_is_at_most_1_4_times_the_text() -> None:
    document = styled("".join(f"{'#' * level} h{level}\n\n" for level in range(1, 7)))
    sizes = [_size(document, f"h{level}") for level in range(1, 7)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == pytest.approx(1.4 * BODY)
    assert sizes[len(HEADING_SIZES) :] == [BODY] * 3


def _size(document: QTextDocument, text: str) -> float:
    cursor = document.find(text)
    return cursor.charFormat().font().pointSizeF()


@pytest.mark.usefixtures("qapp")
def test_lists_are_indented_by_20_pixels() -> None:
    assert styled("- one\n  - two").indentWidth() == 20


@pytest.mark.usefixtures("qapp")
def test_a_quote_has_a_bar_beside_all_of_it() -> None:
    document = styled("before\n\n> quoted\n\nafter")
    (bar,) = quote_bars(document)
    top, bottom = tops(document)["quoted"]
    assert bar.top() <= top
    assert bar.bottom() >= bottom
    assert 0 <= bar.left() < bar.right() < 16


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("before", ["", "text\n\n", "> a quote\n\n", "- an item\n\n"])
def test_the_heads_of_a_table_are_alike_whatever_stands_before_it(before: str) -> None:
    document = styled(f"{before}| Aa | Bb | Cc |\n|---|---:|---|\n| 1 | 2 | 3 |\n")
    (table,) = (f for f in document.rootFrame().childFrames() if isinstance(f, QTextTable))
    layout = document.documentLayout()
    heads = [table.cellAt(0, column).firstCursorPosition() for column in range(3)]
    assert [head.block().text() for head in heads] == ["Aa", "Bb", "Cc"]
    assert len({layout.blockBoundingRect(head.block()).top() for head in heads}) == 1
    weights = {document.find(word).charFormat().fontWeight() for word in ("Aa", "Bb", "Cc")}
    assert weights == {QFont.Weight.DemiBold}
    assert table.format().toTableFormat().borderCollapse()


CODE = 'def f(a):\n    """Text."""\n    return 42  # why'


@pytest.mark.usefixtures("qapp")
def test_code_is_a_card_with_its_language_and_copied_without_it() -> None:
    document = styled(f"before\n\n```python\n{CODE}\n```\n\nafter")
    (card,) = document.rootFrame().childFrames()
    assert card.frameFormat().padding() >= 8
    assert card.firstCursorPosition().block().text() == "python"
    (block,) = code_blocks(document)
    assert block.code == CODE
    assert block.place.top() < tops(document)["def f(a):"][0]
    assert all(is_code(document.find(line).block()) for line in CODE.splitlines())
    assert tops(document)["after"][0] - tops(document)["    return 42  # why"][1] < 32


@pytest.mark.usefixtures("qapp")
def test_two_blocks_of_code_are_two_cards() -> None:
    document = styled("```\na\n```\n\ntext\n\n```\nb\n\nc\n```")
    assert [block.code for block in code_blocks(document)] == ["a", "b\n\nc"]
    assert len(document.rootFrame().childFrames()) == 2


def test_code_has_the_colours_of_the_theme(qapp: QApplication, theme: Theme) -> None:
    document = styled(f"```python\n{CODE}\n```", theme)
    found = {
        word: document.find(word).charFormat().foreground().color().name()
        for word in ("def", '"""Text."""', "42", "# why")
    }
    names: tuple[ColorName, ...] = ("accent", "success", "warning", "muted")
    assert list(found.values()) == [theme.color(name).name() for name in names]


def test_letters_of_two_units_move_no_colour() -> None:
    assert coloured_words("x = '\U0001f600' + 1", "python")[-1] == (11, 12, "warning")


def test_a_language_that_nobody_knows_has_no_colours() -> None:
    assert coloured_words("x = 1", "no such language") == []
    assert coloured_words("x = 1", " ") == []


@pytest.mark.parametrize(
    ("formula", "plain"),
    [
        ("x^2", "x²"),
        (r"\alpha \leq \frac{a}{b}", "α ≤ (a)/(b)"),
        ("a_{ij}^{10}", "aᵢⱼ¹⁰"),
        ("x^{2y}", "x^(2y)"),
        (r"\unknown{x}", r"\unknownx"),
    ],
)
def test_a_formula_is_written_in_letters(formula: str, plain: str) -> None:
    assert plain_formula(formula) == plain


@pytest.mark.usefixtures("qapp")
def test_formulas_are_calm_and_prices_are_left_alone() -> None:
    document = styled("It is $x^2$, costs $5 and $10, and `$a^2$` is code.")
    assert document.toPlainText() == "It is x², costs $5 and $10, and $a^2$ is code."
    assert document.find("x²").charFormat().fontItalic()
