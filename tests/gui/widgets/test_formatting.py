from __future__ import annotations

import pytest
from PySide6.QtGui import QTextOption

from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.text_editors import MAX_WORD_LENGTH, wrap_mode

MODES = QTextOption.WrapMode


def test_only_a_text_with_an_endless_word_is_wrapped_anywhere() -> None:
    assert wrap_mode("word " * MAX_WORD_LENGTH) == MODES.WrapAtWordBoundaryOrAnywhere
    assert wrap_mode("x" * MAX_WORD_LENGTH + " y") == MODES.WrapAtWordBoundaryOrAnywhere
    assert wrap_mode("word " + "x" * (MAX_WORD_LENGTH + 1)) == MODES.WrapAnywhere


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12345, "12 kB"), (10_000_000, "10 MB")],
)
def test_sizes(size: int, words: str) -> None:
    assert format_size(size) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0004, "0.4 ms"), (0.0231, "23 ms"), (1.25, "1.25 s"), (42, "42.0 s"), (125, "2 min 05 s")],
)
def test_durations(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words
