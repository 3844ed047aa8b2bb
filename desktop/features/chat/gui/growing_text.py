"""A text that arrives piece by piece, cut into parts that are short enough to lay out at once.

It is cut between paragraphs where possible, and a fenced block is closed and opened again, so that
each part is Markdown by itself. Must not import Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PART_LENGTH: Final = 3_000
"""Characters of one part: reading and laying it out as Markdown takes about 10 ms."""
_LEAST: Final = MAX_PART_LENGTH // 4
_FENCE_LINE: Final = compile_later(r" {0,3}(`{3,}|~{3,})(.*)")


class GrowingText:
    """What was said so far: the parts that stay as they are, and the last one, which grows."""

    def __init__(self, text: str = "") -> None:
        self.done: list[str] = []
        self.tail = ""
        self._pieces: list[str] = []
        if text:
            self.add(text)

    @property
    def text(self) -> str:
        """All of it, as it came."""
        return "".join(self._pieces)

    @property
    def length(self) -> int:
        """Characters so far."""
        return sum(map(len, self._pieces))

    @property
    def parts(self) -> list[str]:
        """All parts; none for an empty text."""
        return [*self.done, self.tail] if self.tail else list(self.done)

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        if len(self._pieces) > MAX_PART_LENGTH:  # a model may send letter by letter
            self._pieces = ["".join(self._pieces)]
        rest, start = self.tail + piece, 0
        opened = ""
        while len(rest) - start + len(opened) > MAX_PART_LENGTH:
            part, start, opened = _next_part(rest, start, opened)
            self.done.append(part)
        self.tail = opened + rest[start:]


def _next_part(text: str, start: int, opened: str) -> tuple[str, int, str]:
    """The part from `start`, where the next one starts, and the fence that it starts with."""
    piece = opened + text[start : start + MAX_PART_LENGTH - len(opened)]
    cut, fence = _cut(piece)
    cut = max(cut, len(opened) + 1)
    end = start + cut - len(opened)
    mark = _FENCE_LINE.match(fence)
    if mark is None:
        return piece[:cut].rstrip("\n"), end, ""
    return f"{piece[:cut].rstrip(chr(10))}\n{mark[1]}", end, fence


def _cut(piece: str) -> tuple[int, str]:
    """Where to end a part that is as long as it may be, and the line of the fence open there."""
    fence, at = "", 0
    paragraph, line_end, line_fence = 0, 0, ""
    for line in piece.splitlines(keepends=True):
        at += len(line)
        if not line.endswith("\n"):
            break
        fence = _fence_after(line, fence)
        line_end, line_fence = at, fence
        if not fence and not line.strip():
            paragraph = at
    if paragraph >= _LEAST:
        return paragraph, ""
    if line_end >= _LEAST:
        return line_end, line_fence
    space = piece.rfind(" ", _LEAST)
    return (space + 1 if space > 0 else len(piece)), fence


def _fence_after(line: str, fence: str) -> str:
    """The line that opened the block which is open after `line`, empty where none is."""
    mark = _FENCE_LINE.match(line)
    if mark is None:
        return fence
    if not fence:
        return line[:200].rstrip("\n") + "\n"
    opened = _FENCE_LINE.match(fence)
    closes = opened is not None and mark[1].startswith(opened[1]) and not line[mark.end() :].strip()
    return "" if closes else fence


def fenced_codes(text: str) -> list[str]:
    """The code in the fences of a Markdown text, in order."""
    codes: list[str] = []
    lines: list[str] | None = None
    opened = ""
    for line in text.splitlines():
        mark = _FENCE_LINE.match(line)
        if lines is None:
            if mark is not None:
                lines, opened = [], mark[1]
        elif mark is not None and mark[1].startswith(opened) and not mark[2].strip():
            codes.append("\n".join(lines))
            lines = None
        else:
            lines.append(line)
    return codes if lines is None else [*codes, "\n".join(lines)]


def whole_code(code: str, parts: Iterable[str], text: str) -> str:
    """The block of `text` that `code` is in; `parts` are what the text was cut into."""
    pieces = [piece for part in parts for piece in fenced_codes(part)]
    at = 0
    for whole in fenced_codes(text):
        made: list[str] = []
        while at < len(pieces) and len("\n".join(made)) < len(whole):
            made.append(pieces[at])
            at += 1
        if _letters(code) in map(_letters, made):
            return whole
    return code


def _letters(text: str) -> str:
    """Without what laying it out changes."""
    return "".join(text.split())
