from __future__ import annotations

from PySide6.QtGui import QTextOption

from desktop.gui.chat.wrapping import LONGEST_WORD, wrap_mode

MODES = QTextOption.WrapMode


def test_only_a_text_with_an_endless_word_is_wrapped_anywhere() -> None:
    assert wrap_mode("word " * LONGEST_WORD) == MODES.WrapAtWordBoundaryOrAnywhere
    assert wrap_mode("x" * LONGEST_WORD + " y") == MODES.WrapAtWordBoundaryOrAnywhere
    assert wrap_mode("word " + "x" * (LONGEST_WORD + 1)) == MODES.WrapAnywhere
