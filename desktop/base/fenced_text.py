"""A text of elsewhere inside a message or a page of Markdown, in a fence that it cannot close.

Must not change the text: who needs hidden letters to be seen marks them before.
"""

from __future__ import annotations

from typing import Final

from desktop.base.later_patterns import compile_later

_TICKS: Final = compile_later(r"`{3,}")


def fenced(text: str) -> str:
    """The text between two lines of backticks, more of them than stand together anywhere in it."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"
