"""A text in the letters of ASCII, as near as they come: 天气 is TianQi, Zürich is Zurich."""

from __future__ import annotations

from desktop.base.later_patterns import compile_later


def in_ascii(text: str) -> str:
    """What is not ASCII transliterated, always in the same way; nothing for what has no letters."""
    if text.isascii():
        return text
    from anyascii import anyascii  # few names need it

    return anyascii(text)


_PUNCTUATION = str.maketrans("“”‘’　", "\"\"'' ")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width forms of ASCII, as input methods for Chinese and Japanese write them."""


def narrow(text: str) -> str:
    """A text with the punctuation, digits and letters of ASCII in place of their wide forms."""
    return text if text.isascii() else text.translate(_WIDE).translate(_PUNCTUATION)


def first_wide(text: str) -> tuple[str, str, int] | None:
    """The first wide mark outside of JSON's strings: itself, what is meant, and where it is."""
    bare = _STRING.sub(lambda found: " " * len(found[0]), text)
    for at, letter in enumerate(bare):
        if not letter.isascii() and (meant := narrow(letter)) != letter:
            return letter, meant, at
    return None


def narrow_json(text: str) -> str:
    """JSON with the marks that are meant in place of wide ones; what is in its strings stays.

    A text between wide quotation marks is a string, too.
    """
    written: list[str] = []
    ends = ""
    is_escaped = False
    for letter in text:
        if not ends:
            meant = narrow(letter)
            ends = _QUOTES.get(letter, "")
        elif is_escaped or letter == "\\":
            meant, is_escaped = letter, not is_escaped
        elif letter in ends:
            meant, ends = '"', ""
        else:
            meant = letter
        written.append(meant)
    return "".join(written)


_QUOTES = {'"': '"', "“": '”"“', "”": '”"“', "＂": '＂"'}
"""What begins a string, and what may end it."""
_STRING = compile_later(r'"(?:[^"\\\n]|\\.)*+"')
