"""Writes Markdown block by block: paragraphs, lists, quotes, tables, code. Knows no HTML."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[ \t\r\n\f\v\u200b]+")
_DEEPEST = 8
_MOST_COLUMNS = 60


class Blocks:
    """The blocks so far and the line that is being written."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._line: list[str] = []
        self._link: int | None = None
        self._prefix = ""
        self._lists: list[int | None] = []
        self._quotes = 0
        self._pre = 0
        self._row: list[str] | None = None
        self._rows = 0

    @property
    def text(self) -> str:
        self.close_row()
        self.end()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._done)).strip("\n")

    def write(self, text: str) -> None:
        if self._pre:
            self._line.append(text)
            return
        spaced = _SPACE.sub(" ", text)
        if spaced.startswith(" ") and (not self._line or self._line[-1].endswith((" ", "\n"))):
            spaced = spaced[1:]
        if spaced:
            self._line.append(spaced)

    def mark(self, sign: str) -> None:
        """A sign that opens or closes; one around nothing is taken back."""
        if self._pre:
            return
        if self._line and self._line[-1] == sign:
            self._line.pop()
        else:
            self._line.append(sign)

    def open_link(self) -> None:
        self._link = len(self._line)

    def close_link(self, target: str) -> None:
        if self._link is None:  # it began in a block that is over
            return
        words = "".join(self._line[self._link :])
        del self._line[self._link :]
        self._link = None
        if words.strip():
            before = " " if words.startswith(" ") else ""
            self._line.append(f"{before}[{' '.join(words.split())}]({target})")

    def start(self, prefix: str) -> None:
        """Begin a block whose first line has `prefix`."""
        self.end()
        if self._row is None:
            self._prefix = prefix

    def end(self) -> None:
        """Finish the line that is being written, if anything is in it."""
        if self._pre or self._row is not None:
            if self._row is not None:
                self.write(" ")
            return
        self._put("".join(self._line).strip())
        self._clear()

    def close(self) -> None:
        """Finish a block with a prefix; an empty one leaves none to the next."""
        self.end()
        self._prefix = ""

    def break_line(self) -> None:
        self._line.append("\n" if self._row is None else " ")

    def rule(self) -> None:
        self.end()
        self._put("---")

    def open_list(self, *, is_numbered: bool) -> None:
        self.end()
        if not self._lists:
            self._blank()
        self._lists.append(0 if is_numbered else None)

    def close_list(self) -> None:
        self.end()
        if self._lists:
            self._lists.pop()

    def open_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        self.start("- " if number is None else f"{number + 1}. ")

    def open_quote(self) -> None:
        self.end()
        self._quotes += 1

    def close_quote(self) -> None:
        self.end()
        self._quotes = max(0, self._quotes - 1)

    def open_pre(self) -> None:
        self.end()
        self._pre += 1

    def close_pre(self) -> None:
        self._pre = max(0, self._pre - 1)
        if self._pre == 0:
            code = "".join(self._line).strip("\n")
            self._clear()
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
            self._put(f"{fence}\n{code}\n{fence}")

    def open_row(self) -> None:
        self.close_row()
        self.end()
        if not (self._done and self._done[-1].startswith("|")):
            self._blank()
        self._row = []

    def open_cell(self) -> None:
        if self._row is not None and len(self._row) < _MOST_COLUMNS:
            self._close_cell()
            self._row.append("")

    def close_row(self) -> None:
        if self._row is None:
            return
        self._close_cell()
        cells, self._row = self._row, None
        if any(cells):
            is_first = not (self._done and self._done[-1].startswith("|"))
            self._done.append("| " + " | ".join(cells) + " |")
            if is_first:
                self._done.append("|" + " --- |" * len(cells))

    def _close_cell(self) -> None:
        if self._row:
            self._row[-1] = " ".join("".join(self._line).split()).replace("|", "\\|")
        self._clear()

    def _clear(self) -> None:
        self._line.clear()
        self._link = None

    def _put(self, block: str) -> None:
        if not block:
            return
        prefix, self._prefix = self._prefix, ""
        quote = "> " * min(self._quotes, _DEEPEST)
        depth = min(len(self._lists), _DEEPEST)
        indent = "  " * (depth - 1 if prefix.endswith(("- ", ". ")) and depth else depth)
        inner = indent + " " * (len(prefix) if depth else 0)
        first, *others = block.split("\n")
        if not self._lists:
            self._blank()
        self._done.append(f"{quote}{indent}{prefix}{first}".rstrip())
        self._done += [f"{quote}{inner}{line}".rstrip() for line in others]

    def _blank(self) -> None:
        """A line between blocks; inside of a quote it belongs to the quote."""
        if self._done and self._done[-1] not in ("", ">"):
            inside = self._quotes and self._done[-1].startswith(">")
            self._done.append(">" if inside else "")
