"""Makes visible what a person would not see: hidden, reordering and look-alike letters.

For what a person decides by: names of servers and tools, and all that an import would use. The
window and the terminal use the same functions. Must not be used for what is sent or stored: the
marks are only for reading.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_LOOK_ALIKE: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH")
"""Scripts with letters that look like Latin ones; a word of one of them alone is no disguise."""
_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


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


def escape_hidden(text: str) -> str:
    r"""A command or a value on one line, what cannot be seen written as escapes: `\u202e`."""
    return "".join(letter if letter.isprintable() else _escape(letter) for letter in text)


def _escape(letter: str) -> str:
    code = ord(letter)
    return _ESCAPES.get(letter) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
