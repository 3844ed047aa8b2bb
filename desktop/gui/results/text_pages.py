"""Cuts a long text into pages, and a page into parts that a text widget takes without a pause.

A widget lays out a line as a whole: 200,000 characters without a space take seconds. So lines are
broken for display only; copying and saving use the text as it came.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.values.spilled import ReadableText

SLICE_LENGTH = 256_000
"""Characters looked at between two chances to interrupt: about a millisecond."""


def find_in_text(text: ReadableText, words: str) -> Iterator[int | None]:
    """Where `words` begin in `text`, large or small letters alike; None after each slice."""
    needle = words.lower()
    pattern = re.compile(re.escape(words), re.IGNORECASE)
    for start in range(0, len(text), SLICE_LENGTH):
        part = text[start : start + SLICE_LENGTH + len(words) - 1]
        folded = part.lower()
        if len(folded) == len(part) and len(needle) == len(words):
            at = folded.find(needle)
            while at >= 0:
                yield start + at
                at = folded.find(needle, at + len(needle))
        else:  # a letter whose small form is longer: the places would be off
            yield from (start + found.start() for found in pattern.finditer(part))
        yield None


PAGE_LENGTH = 1_000_000
"""Characters in the widget at a time: what it can wrap anew without a pause."""
PART_LENGTH = 50_000
"""Characters put into the widget per loop turn: about 3 ms."""

MAX_LINE_LENGTH = 4_000


def pages_of(text: ReadableText) -> list[tuple[int, int]]:
    """The half-open ranges of `text` that are shown at a time, cut at line ends; at least one."""
    pages: list[tuple[int, int]] = []
    start = 0
    while start < len(text) or not pages:
        end = min(start + PAGE_LENGTH, len(text))
        if end < len(text):
            line_end = text.rfind("\n", start + PAGE_LENGTH // 2, end)
            end = line_end + 1 if line_end >= 0 else end
        pages.append((start, end))
        start = end
    return pages


class TextParts:
    """Hands out a range of a text from its start, in parts, with overlong lines broken.

    `continued` has the numbers of the blocks (lines as shown, from 0) that go on with the line of
    the block before.
    """

    def __init__(self, text: ReadableText, start: int = 0, end: int | None = None) -> None:
        self._text = text
        self._end = len(text) if end is None else end
        self.taken = start
        self.continued: list[int] = []
        self._block = 0
        self._column = 0

    @property
    def left(self) -> int:
        """Characters not handed out yet."""
        return self._end - self.taken

    def take(self) -> str:
        """The next part, empty at the end; it ends at a line end where one is near."""
        start, end = self.taken, min(self.taken + PART_LENGTH, self._end)
        if end < self._end:
            line_end = self._text.rfind("\n", start + PART_LENGTH // 2, end)
            end = line_end + 1 if line_end >= 0 else end
        self.taken = end
        return self._broken(self._text[start:end].replace("\r\n", "\n"))

    def _broken(self, part: str) -> str:
        lines: list[str] = []
        for number, line in enumerate(part.split("\n")):
            if number:
                self._column = 0
                self._block += 1
            lines.append(self._broken_line(line))
        return "\n".join(lines)

    def _broken_line(self, line: str) -> str:
        """`line` goes on where the part before ended, at `_column`."""
        room = MAX_LINE_LENGTH - self._column
        if len(line) <= room:
            self._column += len(line)
            return line
        starts = range(room, len(line), MAX_LINE_LENGTH)
        pieces = [line[:room], *(line[at : at + MAX_LINE_LENGTH] for at in starts)]
        self.continued += range(self._block + 1, self._block + len(pieces))
        self._block += len(pieces) - 1
        self._column = len(pieces[-1])
        return "\n".join(pieces)


def shown_length(text: ReadableText, start: int, end: int) -> int:
    """How far into a widget that shows `text` from `start` the place `end` is, in UTF-16 units."""
    parts = TextParts(text, start, end)
    length = 0
    while parts.left:
        length += len(parts.take().encode("utf-16-le", "surrogatepass")) // 2
    return length
