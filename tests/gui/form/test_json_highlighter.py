from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QTextDocument

from desktop.gui.form.json_highlighter import LONGEST_LINE, JsonHighlighter

if TYPE_CHECKING:
    from desktop.gui.theme import Theme


def colors(text: str, theme: Theme) -> list[str]:
    document = QTextDocument(text)
    highlighter = JsonHighlighter(document, theme)
    highlighter.rehighlight()
    formats: list[Any] = document.firstBlock().layout().formats()
    return [span.format.foreground().color().name() for span in formats]


def test_keys_texts_numbers_and_words_have_their_colours(theme: Theme) -> None:
    expected = [theme.color(name).name() for name in ("accent", "success", "accent", "warning")]
    assert colors('{"a": "x\\"y", "b": -1.5e3}', theme) == expected


def test_a_line_of_megabytes_is_left_alone(theme: Theme) -> None:
    assert colors('"a"' * LONGEST_LINE, theme) == []
