"""A text in the letters of ASCII, as near as they come: 天气 is TianQi, Zürich is Zurich."""

from __future__ import annotations


def in_ascii(text: str) -> str:
    """What is not ASCII transliterated, always in the same way; nothing for what has no letters."""
    if text.isascii():
        return text
    from anyascii import anyascii  # few names need it

    return anyascii(text)
