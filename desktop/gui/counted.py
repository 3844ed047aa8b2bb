"""A text with a number in it, in the singular where it is one. Translates nothing itself.

Not Qt's own plural forms: those come from compiled files, and English has to be right without any.
"""

from __future__ import annotations


def counted(count: int, one: str, many: str, **values: object) -> str:
    """`one` or `many`, with `{count}` and what else stands in them filled in."""
    words = one if count == 1 else many
    return words.format(count=f"{count:,}", **values)
