"""Makes visible in a name what a person would not see: hidden, reordering and look-alike letters.

For names that a person decides by, of servers and tools; the window and the terminal use the same
function. Must not be used for what is sent or stored: the marks are only for reading.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_LOOK_ALIKE: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH")
"""Scripts with letters that look like Latin ones; a word of one of them alone is no disguise."""


def mark_hidden(name: str) -> str:
    """The name on one line: hidden characters as `⟨U+202E⟩`, look-alikes followed by theirs.

    Hidden is what is neither seen nor a space: controls, bidi, zero-width, unassigned. A letter is
    a look-alike where its word has Latin letters beside those of another script.
    """
    if name.isascii() and name.isprintable():
        return name
    marked = _WORD.sub(lambda word: _mark_word(word.group()), name)
    return "".join(letter if letter.isprintable() else _code(letter) for letter in marked)


def _mark_word(word: str) -> str:
    foreign = [unicodedata.name(letter, "").startswith(_LOOK_ALIKE) for letter in word]
    if not any(foreign) or not any("LATIN " in unicodedata.name(letter, "") for letter in word):
        return word
    pairs = zip(word, foreign, strict=True)
    return "".join(letter + _code(letter) if is_foreign else letter for letter, is_foreign in pairs)


def _code(letter: str) -> str:
    return f"⟨U+{ord(letter):04X}⟩"
