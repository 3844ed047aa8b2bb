from __future__ import annotations

from PySide6.QtGui import QPalette, QTextFormat, QTextTable

from desktop.gui.chat.prose_look import dress
from desktop.gui.results.markdown import MarkdownDocument, read_markdown


def _document(text: str) -> MarkdownDocument:
    made = read_markdown(text)
    assert isinstance(made, MarkdownDocument)
    return made


def test_code_stands_on_the_ground_of_code_and_text_does_not() -> None:
    palette = QPalette()
    document = _document("text\n\n```\ncode\n```\n")
    dress(document, palette)
    grounds = {
        block.text(): block.blockFormat().background().color().name()
        for block in (document.findBlockByNumber(at) for at in range(document.blockCount()))
        if block.blockFormat().hasProperty(QTextFormat.Property.BackgroundBrush)
    }
    assert grounds == {"code": palette.alternateBase().color().name()}


def test_tables_have_one_line_between_their_cells() -> None:
    document = _document("| a | b |\n|---|---|\n| 1 | 2 |\n")
    dress(document, QPalette())
    (table,) = [one for one in document.rootFrame().childFrames() if isinstance(one, QTextTable)]
    assert table.format().toTableFormat().borderCollapse()
