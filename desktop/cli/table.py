"""Lays out rows in columns for a terminal, wide characters counted as what they take.

Must not know what the cells mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_GAP = "  "


def cell_width(text: str) -> int:
    """Columns that `text` takes."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(char: str) -> int:
    return 0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1


def cut(text: str, width: int) -> str:
    """`text` in at most `width` columns, with an ellipsis where something is missing."""
    if cell_width(text) <= width:
        return text
    left = width - 1
    for index, char in enumerate(text):
        left -= _char_width(char)
        if left < 0:
            return text[:index] + "…"
    return text


def layout(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None,
    tint: Callable[[str], str] | None = None,
) -> list[str]:
    """Lines of a table; with a `width` the last column gets what the others leave.

    Args:
        header: names of the columns.
        rows: cells of one line each, without control characters.
        width: columns there are; None for as many as needed.
        tint: gets the last cell of each row as it is shown, and gives it back with its colour.
    """
    lines = [list(header), *[list(row) for row in rows]]
    widths = [max(cell_width(line[n]) for line in lines) for n in range(len(header))]
    if width is not None:
        others = sum(widths[:-1]) + len(_GAP) * (len(header) - 1)
        widths[-1] = max(min(widths[-1], width - others), 8)
    return [
        _line(lines[0], widths, str),
        *(_line(line, widths, tint or str) for line in lines[1:]),
    ]


def _line(cells: Sequence[str], widths: Sequence[int], tint: Callable[[str], str]) -> str:
    shown = [cut(cell, width) for cell, width in zip(cells, widths, strict=True)]
    padded = [
        cell + " " * (width - cell_width(cell)) for cell, width in zip(shown, widths, strict=True)
    ]
    padded[-1] = tint(shown[-1]) if shown[-1] else ""
    return _GAP.join(padded).rstrip()
