"""Makes visible what a person would not see: hidden, reordering and look-alike letters.

For what a person decides by: names of servers and tools, and all that an import would use. The
window and the terminal use the same functions. Must not be used for what is sent or stored: the
marks are only for reading.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from desktop.base.later_patterns import compile_later

_WORD: Final = compile_later(r"[^\W\d_]+")
_LOOK_ALIKE: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH")
"""Scripts with letters that look like Latin ones; a word of one of them alone is no disguise."""
_CONTROL: Final = compile_later(r"[\x00-\x08\x0b-\x1f\x7f]")
_HIDDEN: Final = compile_later(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
    r"|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])"
)
"""Controls, soft hyphens, bidi, zero-width, tags; joiners where only ASCII is beside them."""
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


def mark_hidden_text(text: str) -> str:
    """A text of any length and of several lines: hidden characters as in `mark_hidden`.

    Tabs and line feeds stay, and so do the joiners of emoji and of scripts that write with them.
    """
    if text.isascii() and not _CONTROL.search(text):
        return text
    return _HIDDEN.sub(lambda found: _code(found.group()), text)


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


def as_sentence(text: str) -> str:
    """With a full stop at its end, where a stranger's words have none."""
    words = text.rstrip()
    return words if not words or words[-1] in ".!?…。！？" else f"{words}."
