"""Reads a large JSON document in slices, so that the loop runs in between.

The outer levels are walked here, what is inside them is left to the standard library's C scanner:
a list of 10,000 tools is read tool by tool. Knows nothing of MCP.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Generator
from typing import Any, TypeAlias

SLICE = 0.008
"""Seconds of reading between two turns of the loop."""
DEPTH = 3
"""Levels that are walked here: the message, its result, the list in it."""

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_Walk: TypeAlias = Generator[None, None, tuple[Any, int]]


async def loads(text: str) -> Any:
    """The value of `text`, read without blocking the loop for longer than one inner value takes.

    Raises:
        ValueError: it is not JSON (`json.JSONDecodeError`).
    """
    walk = _value(text, _skip(text, 0), DEPTH)
    turn = time.monotonic()
    while True:
        try:
            next(walk)
        except StopIteration as end:
            value, at = end.value
            break
        if time.monotonic() - turn > SLICE:
            await asyncio.sleep(0)
            turn = time.monotonic()
    if _skip(text, at) != len(text):
        raise json.JSONDecodeError("Extra data", text, at)
    return value


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> _Walk:
    opening = text[at : at + 1]
    if depth and opening == "{":
        return (yield from _object(text, at + 1, depth - 1))
    if depth and opening == "[":
        return (yield from _array(text, at + 1, depth - 1))
    yield
    return _DECODER.raw_decode(text, at)


def _array(text: str, at: int, depth: int) -> _Walk:
    items: list[Any] = []
    at = _skip(text, at)
    if text[at : at + 1] == "]":
        return items, at + 1
    while True:
        value, at = yield from _value(text, at, depth)
        items.append(value)
        at, ended = _separator(text, _skip(text, at), "]")
        if ended:
            return items, at


def _object(text: str, at: int, depth: int) -> _Walk:
    members: dict[str, Any] = {}
    at = _skip(text, at)
    if text[at : at + 1] == "}":
        return members, at + 1
    while True:
        key, at = _key(text, at)
        members[key], at = yield from _value(text, at, depth)
        at, ended = _separator(text, _skip(text, at), "}")
        if ended:
            return members, at


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
