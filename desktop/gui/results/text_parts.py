"""Cuts a long text into parts that a text widget takes without a pause. Must not import Qt.

A widget lays out a line as a whole: 200,000 characters without a space take seconds. So lines are
broken for the eye; copying all and saving keep the text as it came.
"""

from __future__ import annotations

PART = 100_000
"""Characters put into the widget per loop turn: about 5 ms."""

LONGEST_LINE = 4_000


class TextParts:
    """Hands out a text from the start, in parts, with overlong lines broken."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.taken = 0
        self.has_broken_lines = False
        self._column = 0

    @property
    def left(self) -> int:
        """Characters not handed out yet."""
        return len(self.text) - self.taken

    def take(self) -> str:
        """The next part, empty at the end; it ends at a line end where one is near."""
        start, end = self.taken, min(self.taken + PART, len(self.text))
        if end < len(self.text):
            line_end = self.text.rfind("\n", start + PART // 2, end)
            end = line_end + 1 if line_end >= 0 else end
        self.taken = end
        return self._broken(self.text[start:end])

    def _broken(self, part: str) -> str:
        lines: list[str] = []
        for number, line in enumerate(part.split("\n")):
            if number:
                self._column = 0
            lines.append(self._broken_line(line))
        return "\n".join(lines)

    def _broken_line(self, line: str) -> str:
        """`line` goes on where the part before ended, at `_column`."""
        room = LONGEST_LINE - self._column
        if len(line) <= room:
            self._column += len(line)
            return line
        self.has_broken_lines = True
        starts = range(room, len(line), LONGEST_LINE)
        pieces = [line[:room], *(line[at : at + LONGEST_LINE] for at in starts)]
        self._column = len(pieces[-1])
        return "\n".join(pieces)
