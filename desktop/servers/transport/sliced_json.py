"""Reads a large JSON document in turns of the loop, and a long list of tools a page at a time.

The outer levels are walked here, what is inside them is read by the standard library's C scanner;
a long text, such as that of a resource, a piece at a time. What is put together here grows by `+=`,
for which CPython moves no text that nobody else has: a join of 200 MB would take 100 ms at once.
Must not know how a message came or who waits for it.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import time
from collections.abc import Generator
from typing import Any, TypeAlias

from desktop.base.later_patterns import compile_later

PAGE = 200
"""Tools in one page handed to the client."""
SLICE = 0.008
"""Seconds of reading between two turns of the loop."""
DEPTH = 5
"""Levels that are walked here: the message, its result, a list in it, a block, what is in that."""
_RESULT = 3
"""What is left of them in the result."""
FEW = 20
"""Items of a list that are walked; of more, none is a block with a long text."""
PIECE = 1_000_000
"""Characters of a text, or bytes of one, that are read at once."""
_FIRST_PIECE = 4_096
_ESCAPE = 12
"""Characters of the longest escape, a pair of surrogates."""

_SPACE = compile_later(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_Document: TypeAlias = Generator[dict[str, Any] | None, None, Any]
_Tools: TypeAlias = Generator[dict[str, Any] | None, None, int]
_Walk: TypeAlias = Generator[dict[str, Any] | None, None, tuple[Any, int]]
"""Yields after each inner value, and the result so far whenever its `tools` have filled a page.

Who is given it may take the tools out of it. Returns the value, and where it ends.
"""


async def loads(text: str | bytes, *, may_be_cut: bool = False) -> Any:
    """The value of `text`, read without blocking the loop for longer than one inner value takes.

    Args:
        text: JSON; bytes are UTF-8, and what is wrong in them is replaced.
        may_be_cut: give a `LongToolList` for a message that has more tools than a page.

    Raises:
        ValueError: it is not JSON (`json.JSONDecodeError`).
    """
    walk = _document(text)
    turn = time.monotonic()
    while True:
        try:
            result = next(walk)
        except StopIteration as end:
            return end.value
        if may_be_cut and result is not None:
            return LongToolList(walk, result)
        if time.monotonic() - turn > SLICE:
            await asyncio.sleep(0)
            turn = time.monotonic()


class LongToolList:
    """A result with many tools, parsed a page at a time: all of them together take 300 MB."""

    def __init__(self, walk: _Document, result: dict[str, Any]) -> None:
        """Args: result: the beginning of it, with one page of tools."""
        self._walk = walk
        self.page = _take_page(result)
        """The result with the tools that were read last; without the members that follow them."""
        self.is_last = False
        """Whether there are none after them."""

    def read_page(self) -> bool:
        """Read on until there is another page. Returns whether that is all there is.

        Raises:
            ValueError, RecursionError: it is not JSON from here on.
        """
        while True:
            try:
                result = next(self._walk)
            except StopIteration as end:
                self.page, self.is_last = end.value["result"], True
                return True
            if result is not None:
                self.page = _take_page(result)
                return False


def begin_tools(text: str) -> LongToolList:
    """The list of tools in the result of this message, of which nothing is read yet."""
    return LongToolList(_document(text), {"tools": []})


def _take_page(result: dict[str, Any]) -> dict[str, Any]:
    tools: list[Any] = result["tools"]
    page = {**result, "tools": tools[:PAGE]}
    del tools[:PAGE]
    return page


def _document(text: str | bytes) -> _Document:
    if isinstance(text, bytes):
        text = yield from _decoded(text)
    value, at = yield from _value(text, _skip(text, 0), DEPTH)
    if _skip(text, at) != len(text):
        raise json.JSONDecodeError("Extra data", text, at)
    del text  # a turn of its own: 200 MB take 10 ms to free, and the line as much again
    yield
    return value


def _decoded(encoded: bytes) -> Generator[None, None, str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = ""
    for start in range(0, len(encoded), PIECE):
        text += decoder.decode(encoded[start : start + PIECE])
        yield
    text += decoder.decode(b"", final=True)
    return text


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int, name: str = "") -> _Walk:
    """Args: name: of the member that it is the value of."""
    opening = text[at : at + 1]
    if depth and opening == "{":
        return (yield from _object(text, at + 1, depth - 1, name))
    if depth and opening == "[":
        return (yield from _array(text, at + 1, depth - 1, []))
    yield
    if opening == '"' and _is_long(text, at):
        return (yield from _long_text(text, at + 1))
    return _DECODER.raw_decode(text, at)


def _is_long(text: str, at: int) -> bool:
    """Whether a text does not end within the first piece, as far as a look tells."""
    found = text.find('"', at + 1, at + _FIRST_PIECE)
    return len(text) - at > PIECE and (found < 0 or text[found - 1] == "\\")


def _long_text(text: str, at: int) -> _Walk:
    """Args: at: behind the opening quotation mark."""
    read = ""
    size = _FIRST_PIECE
    while at < len(text):
        cut = _before_escape(text, at, min(at + size, len(text)))
        piece = f'"{text[at:cut]}"'
        found, end = _DECODER.raw_decode(piece)
        read += found
        if end < len(piece):  # at a quotation mark of the text's own
            return read, at + end - 1
        at, size = cut, min(2 * size, PIECE)
        yield
    raise json.JSONDecodeError("Unterminated string starting at", text, at - 1)


def _before_escape(text: str, start: int, cut: int) -> int:
    """The last place up to `cut` that is in no escape; the end where there are only escapes."""
    place = cut
    while place - _ESCAPE > start:
        if "\\" not in text[place - _ESCAPE : place]:
            return place
        place -= _ESCAPE
    return len(text)  # escapes alone: all at once


def _array(text: str, at: int, depth: int, items: list[Any]) -> _Walk:
    at = _skip(text, at)
    if text[at : at + 1] == "]":
        return items, at + 1
    while True:
        value, at = yield from _value(text, at, depth if len(items) < FEW else 0)
        items.append(value)
        at, ended = _separator(text, _skip(text, at), "]")
        if ended:
            return items, at


def _object(text: str, at: int, depth: int, name: str) -> _Walk:
    members: dict[str, Any] = {}
    at = _skip(text, at)
    if text[at : at + 1] == "}":
        return members, at + 1
    while True:
        key, at = _key(text, at)
        if (name, key, text[at : at + 1]) == ("result", "tools", "[") and depth == _RESULT:
            at = yield from _tools(text, at + 1, members)
        else:
            members[key], at = yield from _value(text, at, depth, key)
        at, ended = _separator(text, _skip(text, at), "}")
        if ended:
            return members, at


def _tools(text: str, at: int, result: dict[str, Any]) -> _Tools:
    tools: list[Any] = []
    result["tools"] = tools
    walk = _array(text, at, 0, tools)
    while True:
        try:
            next(walk)
        except StopIteration as end:
            return end.value[1]
        yield result if len(tools) > PAGE else None


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
    key, at = _DECODER.raw_decode(text, at)
    at = _skip(text, at)
    if text[at : at + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
    return key, _skip(text, at + 1)


def _separator(text: str, at: int, closing: str) -> tuple[int, bool]:
    """Position after `,` or `closing`, and whether it was `closing`."""
    mark = text[at : at + 1]
    if mark == closing:
        return at + 1, True
    if mark != ",":
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    return _skip(text, at + 1), False
