"""Large texts, bytes and JSON values that are kept in a temporary file, and read in parts.

The file has no name: it is unlinked as it is made (on Windows, when it is closed), so nothing is
left of it even after SIGKILL. It is closed with the last value that is in it. Must not decide what
is large, and must not know what the values are for.
"""

from __future__ import annotations

import json
import tempfile
import threading
import weakref
from array import array
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from desktop.values.packed_json import KeptElsewhere

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

_CHUNK: Final = 65_536
"""Characters that are found by their place in the file; what is read is a multiple of it."""
_PIECE: Final = 65_536
"""Characters of JSON that are written at once: the loop has the interpreter in between."""
_ITEMS: Final = 256
_BEGINNING: Final = 20_000
_write: Final = json.JSONEncoder(ensure_ascii=False).encode


class ReadableText(Protocol):
    """A `str`, or a text on disk of which no more is read than is asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> str: ...

    def count(self, text: str, start: int = ..., end: int = ..., /) -> int: ...

    def rfind(self, text: str, start: int = ..., end: int = ..., /) -> int: ...


class SpillFile:
    """One file without a name, as large as what was written to it. May be used by any thread."""

    def __init__(self, folder: Path) -> None:
        """Raises: OSError: there is no such folder, or no room."""
        self._file = cast("IO[bytes]", tempfile.TemporaryFile(dir=folder))  # noqa: SIM115 closed below
        self._lock = threading.Lock()
        self.size = 0
        self.close: Callable[[], object] = weakref.finalize(self, self._file.close)
        """Called by itself once nobody has a value of it."""

    def write(self, content: bytes) -> None:
        """Append. Raises: OSError: the disk is full, for instance."""
        with self._lock:
            self._file.seek(self.size)
            self._file.write(content)
            self.size += len(content)

    def flush(self) -> None:
        """Raises: OSError: what was written does not fit."""
        with self._lock:
            self._file.flush()

    def read(self, start: int, end: int) -> bytes:
        with self._lock:
            self._file.seek(start)
            return self._file.read(end - start)


class SpilledText(KeptElsewhere):
    """A text, in UTF-8; characters are found without reading those before them."""

    __slots__ = ("_file", "_length", "_lines", "_starts")

    def __init__(self, file: SpillFile, pieces: Iterable[str]) -> None:
        """Write `pieces` one after the other. Raises: OSError: they do not fit on the disk."""
        self._file = file
        self._starts, self._lines = array("Q", [file.size]), array("Q", [0])
        self._length = 0
        for chunk in _chunks(pieces):
            file.write(chunk.encode("utf-8", "surrogatepass"))
            self._starts.append(file.size)
            self._lines.append(self._lines[-1] + chunk.count("\n"))
            self._length += len(chunk)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> str:
        start, end, step = part.indices(self._length)
        if start >= end:
            return ""
        first, last = start // _CHUNK, (end - 1) // _CHUNK
        encoded = self._file.read(self._starts[first], self._starts[last + 1])
        text = encoded.decode("utf-8", "surrogatepass")
        del encoded
        return text[start - first * _CHUNK : end - first * _CHUNK : step]

    def count(self, text: str, start: int = 0, end: int | None = None) -> int:
        """How often a character is there; how many lines there are before a place is known."""
        if len(text) != 1:
            raise ValueError("only characters are counted")
        start, end, _ = slice(start, end).indices(self._length)
        if text == "\n":
            return max(0, self._lines_before(end) - self._lines_before(start))
        return sum(self[at : min(at + _CHUNK, end)].count(text) for at in range(start, end, _CHUNK))

    def rfind(self, text: str, start: int = 0, end: int | None = None) -> int:
        """Where it is for the last time; reads from the end on, of line ends only what has some."""
        start, end, _ = slice(start, end).indices(self._length)
        while end - start >= len(text):
            chunk = (end - len(text)) // _CHUNK
            begin = max(start, chunk * _CHUNK)
            may_have = text != "\n" or self._lines[chunk] < self._lines[chunk + 1]
            if may_have and (found := self[begin:end].rfind(text)) >= 0:
                return begin + found
            end = begin + len(text) - 1
        return -1

    def _lines_before(self, place: int) -> int:
        chunk, inside = divmod(place, _CHUNK)
        known = self._lines[chunk]
        return known + (self[chunk * _CHUNK : place].count("\n") if inside else 0)

    @property
    def value(self) -> str:
        return self[:]

    @property
    def size_on_disk(self) -> int:
        """Bytes."""
        return self._starts[-1] - self._starts[0]


class SpilledBytes(KeptElsewhere):
    """Bytes, such as those of a picture."""

    __slots__ = ("_end", "_file", "_start")

    def __init__(self, file: SpillFile, content: bytes) -> None:
        """Raises: OSError: they do not fit on the disk."""
        self._file, self._start = file, file.size
        file.write(content)
        self._end = file.size

    def __len__(self) -> int:
        return self._end - self._start

    def __getitem__(self, part: slice) -> bytes:
        start, end, step = part.indices(len(self))
        return self._file.read(self._start + start, self._start + max(start, end))[::step]

    @property
    def value(self) -> bytes:
        return self[:]

    @property
    def size_on_disk(self) -> int:
        return len(self)


class SpilledJson(KeptElsewhere):
    """A JSON value, as the text of it; `is_said` where another text says the same already."""

    __slots__ = ("is_said", "text")

    def __init__(self, file: SpillFile, value: Any, *, is_said: bool = False) -> None:
        """Write a value.

        Raises:
            OSError: it does not fit on the disk.
            ValueError, TypeError, RecursionError: it cannot be written as JSON.
        """
        self.text, self.is_said = SpilledText(file, _json_pieces(value)), is_said

    @property
    def value(self) -> Any:
        return json.loads(self.text.value)

    @property
    def size_on_disk(self) -> int:
        return self.text.size_on_disk


Spilled: TypeAlias = SpilledText | SpilledBytes | SpilledJson


def beginning(text: ReadableText) -> str:
    """A text that is in memory; of one on disk as much as says what it is."""
    return text if isinstance(text, str) else text[:_BEGINNING]


def size_in_memory(value: object) -> int:
    """Characters or bytes of a text or of bytes; 0 where they are on disk."""
    return len(value) if isinstance(value, str | bytes) else 0


def size_on_disk(value: object) -> int:
    """Bytes of a value that is there; 0 where it is in memory."""
    return value.size_on_disk if isinstance(value, _SPILLED) else 0


_SPILLED: Final = (SpilledText, SpilledBytes, SpilledJson)


def weight_of_json(value: Any, most: int) -> int:
    """Roughly the bytes that a JSON value has in memory; stops counting beyond `most`."""
    weight, pending = 0, [value]
    while pending and weight <= most:
        item = pending.pop()
        weight += _NODE_BYTES
        if isinstance(item, str):
            weight += len(item)
        elif isinstance(item, dict):
            pending.extend(cast("dict[str, Any]", item).values())
        elif isinstance(item, list):
            pending.extend(cast("list[Any]", item))
    return weight


_NODE_BYTES: Final = 16


def json_size(value: Any, most: int) -> int:
    """Roughly the characters that `value` has as JSON; stops counting at twice `most`."""
    count = JsonCount(value, most)
    while count.go_on():
        pass
    return count.size


class JsonCount:
    """Counts what `json_size` says, some thousandths of a second at a time.

    Without recursion and without building the text: a value of any size or depth is safe.
    """

    def __init__(self, value: Any, most: int) -> None:
        """Counts nothing yet."""
        self.size = 0
        """As far as it is counted."""
        self._todo, self._end = [value], 2 * most

    def go_on(self) -> bool:
        """Count some more. Returns: whether there is more to count."""
        size, todo, left = self.size, self._todo, _STEP
        while todo and left and size <= self._end:
            left -= 1
            here = todo.pop()
            if isinstance(here, str):
                size += len(here) + 2
                continue
            size += _NODE_CHARACTERS
            if isinstance(here, Mapping):
                members = cast("Mapping[str, Any]", here)
                size += sum(map(len, members)) + 4 * len(members)
                todo.extend(members.values())
            elif isinstance(here, list | tuple):
                todo.extend(cast("list[Any]", here))
        self.size = size
        return bool(todo) and size <= self._end


_STEP: Final = 4_000
_NODE_CHARACTERS: Final = 6
"""What is counted for each value that is no text: a number, a bracket, a comma."""


def _chunks(pieces: Iterable[str]) -> Iterator[str]:
    """The same text in parts of `_CHUNK` characters; only the last one may be shorter."""
    waiting: list[str] = []
    length = 0
    for piece in pieces:
        start = 0
        while length + len(piece) - start >= _CHUNK:
            taken = start + _CHUNK - length
            yield "".join((*waiting, piece[start:taken]))
            waiting, length, start = [], 0, taken
        waiting.append(piece[start:])
        length += len(piece) - start
    if length:
        yield "".join(waiting)


def _json_pieces(value: Any) -> Generator[str]:
    """A value as JSON in pieces, none of which takes long to write."""
    if isinstance(value, str) and len(value) > _PIECE:
        yield '"'
        for start in range(0, len(value), _PIECE):
            yield _write(value[start : start + _PIECE])[1:-1]
        yield '"'
    elif isinstance(value, dict) and not _is_small(cast("object", value)):
        before = "{"
        for name, member in cast("dict[str, Any]", value).items():
            yield f"{before}{_write(name)}:"
            yield from _json_pieces(member)
            before = ","
        yield "}"
    elif isinstance(value, list) and not _is_small(cast("object", value)):
        yield "["
        yield from _json_items(cast("list[Any]", value))
        yield "]"
    else:
        yield _write(value)


def _json_items(items: list[Any]) -> Generator[str]:
    """The items of a list with commas between them, many small ones at once."""
    for start in range(0, len(items), _ITEMS):
        some = items[start : start + _ITEMS]
        if start:
            yield ","
        if _is_small(some):
            yield _write(some)[1:-1]
            continue
        for number, item in enumerate(some):
            if number:
                yield ","
            yield from _json_pieces(item)


def _is_small(value: object) -> bool:
    return weight_of_json(value, _PIECE) <= _PIECE
