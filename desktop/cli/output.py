"""Everything a command prints: results on stdout, the rest on stderr, tables in columns.

Text from servers passes `plain`, so that no terminal obeys it. Colour only where a person looks;
wide characters count as the columns they take. A reader that leaves early (`| head`) is no error.
Must not decide what is printed.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from typing import IO, TYPE_CHECKING, Literal, TypeAlias, cast
from unicodedata import combining, east_asian_width

from desktop.cli.commands import prepare_streams

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from desktop.values.tool_types import ToolResult

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


Colour: TypeAlias = Literal["green", "red", "yellow", "dim", "bold"]
_CODES: dict[Colour, str] = {"green": "32", "red": "31", "yellow": "33", "dim": "2", "bold": "1"}
# C0 but for tab and line feed, DEL and C1; and what turns the direction of the text around it.
_REMOVED = dict.fromkeys(
    (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
_ESCAPED = {code: f"\\u{code:04x}" for code in (*range(127, 160), *_REMOVED) if code > 126}


def plain(text: str) -> str:
    """`text` without what a terminal would obey; tabs and line feeds stay."""
    return text.translate(_REMOVED)


def result_text(result: ToolResult) -> str:
    """The text of a result; a tool that only answers with structured content said that."""
    if result.output or result.structured is None:
        return result.output
    return to_json(result.structured)


def to_json(value: object) -> str:
    """One JSON document that every parser reads and no terminal obeys."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=2)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON itself can carry
        text = json.dumps(_finite(value), indent=2)
    return text.translate(_ESCAPED)


class Terminal:
    """Where a command was typed: here, the terminal or the files of this process."""

    is_here = True

    def __init__(self) -> None:
        prepare_streams()

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size().columns

    @property
    def shows_results(self) -> bool:
        """Whether a person sees stdout."""
        return _is_terminal(sys.stdout)

    @property
    def shows_notes(self) -> bool:
        """Whether a person sees stderr."""
        return _is_terminal(sys.stderr)

    @property
    def has_colours(self) -> bool:
        """Whether nobody objects to them."""
        return not os.environ.get("NO_COLOR")

    @property
    def types(self) -> bool:
        """Whether a person can be asked: stdin and stderr are a terminal, even a dumb one."""
        try:
            return sys.stdin.isatty() and sys.stderr.isatty()
        except (AttributeError, ValueError):  # closed, or never there
            return False

    @property
    def typed(self) -> Callable[[], Awaitable[bytes]] | None:
        """Reads a line from elsewhere; None where it comes from the stdin of this process."""
        return None

    def out(self, text: str) -> None:
        _print(sys.stdout, text)

    def err(self, text: str) -> None:
        _print(sys.stderr, text)


class Console:
    """The two streams of one command."""

    def __init__(self, *, as_json: bool = False, terminal: Terminal | None = None) -> None:
        """Args: terminal: where the command was typed, if not here."""
        self.as_json = as_json
        self.has_answered = False
        self.terminal = terminal or Terminal()
        self._question = ""
        self._replies = self.terminal.shows_notes

    @property
    def width(self) -> int | None:
        """Columns of the terminal; None where nothing needs to be cut."""
        return self.terminal.columns if self.terminal.shows_results else None

    @property
    def is_watched(self) -> bool:
        """Whether a person can see what goes on while it goes on."""
        return self._replies and not self.as_json

    def write(self, text: str) -> None:
        """A result, as text."""
        self.terminal.out(text + "\n")

    def piece(self, text: str) -> None:
        """A part of a result that is still coming, as it is."""
        self.terminal.out(text)

    def document(self, value: object) -> None:
        """The result, as the one JSON document; `has_answered` from then on."""
        self.has_answered = True
        self.terminal.out(to_json(value) + "\n")

    def note(self, text: str) -> None:
        """What a person should know beside the result."""
        self.clear_status()
        self.terminal.err(text + "\n")
        if self._question:
            self.terminal.err(self._question)

    def ask(self, question: str) -> None:
        """A line to answer on; it comes again below each note, until it is empty."""
        self._question = question
        self.terminal.err(question)

    def status(self, text: str) -> None:
        """What goes on now, on a line that the next one replaces; only where it is seen."""
        if self.is_watched:
            columns = self.terminal.columns - 1
            line = plain(text).replace("\n", " ").replace("\t", " ")[:columns]
            self.terminal.err(f"\r\x1b[K{line}")

    def clear_status(self) -> None:
        if self.is_watched:
            self.terminal.err("\r\x1b[K")

    def paint(self, text: str, colour: Colour) -> str:
        """`text` in a colour, where stdout is a terminal and nobody objects."""
        if not self.terminal.shows_results or not self.terminal.has_colours:
            return text
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):  # closed, or never there
        return False


def _print(stream: IO[str], text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # The reader left. Later writes, and the flush at exit, go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _finite(value: object) -> object:
    """JSON has no NaN and no infinity: null, as JavaScript writes them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        members = cast("Mapping[str, object]", value)
        return {key: _finite(member) for key, member in members.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in cast("list[object]", value)]
    return value
