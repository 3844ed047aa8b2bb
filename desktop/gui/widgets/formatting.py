"""Sizes, durations and the origin of a call as a person reads them.

Chooses how a text is wrapped, so that laying it out takes time in proportion to its length.

Qt looks for the end of a word anew at each line of it: one of 100,000 letters takes a second.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextOption

MAX_WORD_LENGTH = 2_000
"""Letters; wrapping at words takes a millisecond for one."""


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """At words, or anywhere where a word is longer than any."""
    modes = QTextOption.WrapMode
    if len(text) > MAX_WORD_LENGTH and max(map(len, text.split()), default=0) > MAX_WORD_LENGTH:
        return modes.WrapAnywhere
    return modes.WrapAtWordBoundaryOrAnywhere


_UNITS = ("B", "kB", "MB", "GB")


def size_label(size: int) -> str:
    """A byte count in decimal units: 999 B, 1.2 kB, 10 MB."""
    value, unit = float(size), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    digits = 1 if unit and value < 9.95 else 0
    return f"{value:.{digits}f} {_UNITS[unit]}"


def duration_label(seconds: float) -> str:
    """How long something took: 0.4 ms, 23 ms, 1.25 s, 2 min 05 s."""
    milliseconds = seconds * 1000
    if milliseconds < 999.5:
        return f"{milliseconds:.{0 if milliseconds >= 9.95 else 1}f} ms"
    if seconds < 59.95:
        return f"{seconds:.{2 if seconds < 9.995 else 1}f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def origin_label(origin: str) -> str:
    """Who made a call; an origin that is new here keeps its own name."""
    translate = QCoreApplication.translate
    return {
        "person": translate("CallOrigin", "You"),
        "agent": translate("CallOrigin", "Agent"),
        "terminal": translate("CallOrigin", "Terminal"),
    }.get(origin, origin)
