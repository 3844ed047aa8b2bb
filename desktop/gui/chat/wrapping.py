"""Chooses how a text is wrapped, so that laying it out takes time in proportion to its length.

Qt looks for the end of a word anew at each line of it: one of 100,000 letters takes a second.
"""

from __future__ import annotations

from PySide6.QtGui import QTextOption

LONGEST_WORD = 2_000
"""Letters; wrapping at words takes a millisecond for one."""


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """At words, or anywhere where a word is longer than any."""
    modes = QTextOption.WrapMode
    if len(text) > LONGEST_WORD and max(map(len, text.split()), default=0) > LONGEST_WORD:
        return modes.WrapAnywhere
    return modes.WrapAtWordBoundaryOrAnywhere
