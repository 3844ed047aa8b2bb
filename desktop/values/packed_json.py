"""JSON values of which thousands are kept and few are looked at: bytes until somebody asks.

A schema of 5 kB is 25 kB of dictionaries. Here it is 0.5 kB, and back within a millisecond. What
comes back equals what was packed, down to the order of members and the digits of integers. What is
still text (`JsonText`) is packed without being parsed; an object stands for it (`stand_in`) where
only an object can pass. Must not know what the values are for.
"""

from __future__ import annotations

import json
import marshal
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

_AT_HAND: Final = 64
"""Values that are kept as they were asked for last, so that asking twice gives the same object."""
_BLOCK: Final = 100_000
"""Bytes that are compressed together: what many have in common is there once."""
_LARGE: Final = 10
"""Blocks."""
_FORMAT: Final = 2
"""The last one of `marshal` in which equal values are equal bytes."""


class JsonText(bytes):
    """The UTF-8 text of one value that is known to be JSON, but was not parsed."""

    def parse(self) -> Any:
        """The value. An integer that is longer than Python reads is an infinite number."""
        text = self.decode("utf-8", "replace")
        try:
            return json.loads(text)
        except ValueError:
            return json.loads(text, parse_int=_any_integer)
        except RecursionError:  # fewer calls were open where it was read over
            from concurrent.futures import ThreadPoolExecutor  # for next to no schema

            with ThreadPoolExecutor(max_workers=1) as elsewhere:
                return elsewhere.submit(json.loads, text).result()


_STANDS_FOR: Final = "mcp-desktop/text"


def stand_in(text: JsonText, **members: Any) -> dict[str, Any]:
    """An object with these members that is packed as the value of `text`."""
    return {**members, _STANDS_FOR: text}


def text_of(value: Any) -> JsonText | None:
    """The text that a value stands for. No JSON does: there a text is no `JsonText`."""
    if not isinstance(value, dict):
        return None
    given = cast("dict[str, Any]", value).get(_STANDS_FOR)
    return given if isinstance(given, JsonText) else None


def _any_integer(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:
        return float(digits)


class KeptElsewhere:
    """A value that is not there as itself: packed, or on disk; `value` makes it whole.

    Equal to the value it stands for.
    """

    __slots__ = ()

    @property
    def value(self) -> Any:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, KeptElsewhere) else other)

    def __hash__(self) -> int:
        return hash(self.value)


class UnpackedField:
    """The slot of a field that may hold a `KeptElsewhere`, read as the value it stands for."""

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def __get__(self, holder: object, owner: type | None = None) -> Any:
        if holder is None:
            return self
        held = self._slot.__get__(holder, owner)
        return held.value if isinstance(held, KeptElsewhere) else held

    def __set__(self, holder: object, value: object) -> None:
        self._slot.__set__(holder, value)

    def held(self, holder: object) -> object:
        """What the field holds, packed where it is packed."""
        return self._slot.__get__(holder)


class _Block:
    """The bytes of values that were packed together."""

    __slots__ = ("_compressed", "_plain")

    def __init__(self, plain: bytes) -> None:
        self._plain: bytes | None = plain
        self._compressed = b""

    @property
    def plain(self) -> bytes:
        plain = self._plain  # once: a thread may be about to take it away
        return plain if plain is not None else _decompress(self._compressed)

    @property
    def size(self) -> int:
        return len(self._compressed if self._plain is None else self._plain)

    def compress(self) -> None:
        """May run in a thread, while others read."""
        if self._plain is not None:
            self._compressed = zlib.compress(self._plain, 1)
            self._plain = None


class PackedJson(KeptElsewhere):
    """One value. Equal to another one that was packed in this way, and to its own value."""

    __slots__ = ("_block", "_end", "_hash", "_start")

    def __init__(self, block: _Block, start: int, end: int, digest: int) -> None:
        """Made by `JsonPacker` alone."""
        self._block, self._start, self._end, self._hash = block, start, end, digest

    @property
    def value(self) -> Any:
        """What was packed. Everybody is given the same object: it must not be changed."""
        return _unpack(self)

    def unpack(self) -> Any:
        """What was packed, as an object of its own."""
        return marshal.loads(self._bytes)  # noqa: S302 - our own bytes, never left

    @property
    def _bytes(self) -> bytes:
        return self._block.plain[self._start : self._end]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PackedJson) or type(self) is not type(other):
            return super().__eq__(other)
        # Of the bytes themselves only the hash and the length: to compare them is to unpack them.
        mine, others = self._end - self._start, other._end - other._start
        return self is other or (self._hash == other._hash and mine == others)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._end - self._start} bytes>"


class PackedText(PackedJson):
    """One value whose text was packed. Another text of the same value is another value here."""

    __slots__ = ()

    def unpack(self) -> Any:
        return JsonText(self._bytes).parse()


class JsonPacker:
    """Packs values one after the other; what was packed is there at once, and small afterwards."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    def pack(self, values: Sequence[Any]) -> list[Any]:
        """The values in their order; those that are empty or cannot be packed as they are.

        Args:
            values: JSON, or what stands for the text of it.
        """
        packed: list[Any] = []
        parts: list[tuple[int, bytes]] = []
        length = 0
        for value in values:
            packed.append(value)
            if value and (part := text_of(value) or _bytes_of(value)) is not None:
                parts.append((len(packed) - 1, part))
                length += len(part)
            if length > _BLOCK:
                self._put(packed, parts)
                parts, length = [], 0
        self._put(packed, parts)
        return packed

    @property
    def is_large(self) -> bool:
        """Whether it is worth the while of a thread to compress it."""
        return len(self._blocks) > _LARGE

    @property
    def size(self) -> int:
        """Bytes of all that was packed, as they are kept now."""
        return sum(block.size for block in self._blocks)

    def compress(self) -> None:
        """Make small what was packed so far. Takes 5 ms a megabyte, and may run in a thread."""
        for block in self._blocks:
            block.compress()

    def _put(self, packed: list[Any], parts: list[tuple[int, bytes]]) -> None:
        if not parts:
            return
        block = _Block(b"".join(part for _, part in parts))
        self._blocks.append(block)
        start = 0
        for at, part in parts:
            kind = PackedText if isinstance(part, JsonText) else PackedJson
            packed[at] = kind(block, start, start + len(part), hash(part))
            start += len(part)


def _bytes_of(value: Any) -> bytes | None:
    # Not JSON: that takes three times as long, and refuses integers of some thousand digits.
    try:
        return marshal.dumps(value, _FORMAT)
    except ValueError:  # too deep, or no JSON
        return None


@lru_cache(maxsize=_AT_HAND)
def _unpack(packed: PackedJson) -> Any:
    return packed.unpack()


@lru_cache(maxsize=2)
def _decompress(compressed: bytes) -> bytes:
    return zlib.decompress(compressed)
