"""Reads a long list of tools a page at a time and leaves the schemas in it as the text they are.

To parse a schema of 5 kB takes longer than all else that is done with its tool until a person looks
at it. msgspec reads over it, as strictly as the standard library would and thirty times as fast.
Whatever this cannot read (a number that is no JSON, half of a surrogate pair) is left to
`sliced_json`, from the page on where it stands. Must not know how a message came or who waits for
it. Source: MCP specification, server/tools.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from desktop.base.later_patterns import compile_later
from desktop.servers.repair.message_repair import report_deep_parts, without_deep_parts
from desktop.servers.transport.sliced_json import PAGE, LongToolList, begin_tools
from desktop.values.packed_json import JsonText, stand_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARK: Final = "mcp-desktop/tools"
_CHUNK: Final = 64 * 1024
"""Bytes read at a time: a millisecond, or some where they are hundreds of small tools."""
_MAX_CHUNK: Final = 16 * _CHUNK
"""Bytes within which one has to end."""
_TRIES: Final = 8
"""Places tried where a chunk, or the list, may end: the text of a schema may look like one."""
_ENDS: Final = 4096
"""Bytes before and after the list in which the rest of the message is looked for."""
_READ_BY_SDK: Final = b'"x-mcp-header"'
"""Since 2026-07-28 the SDK looks into schemas for arguments that are sent as headers, too."""
_SPACE: Final = rb"[ \t\n\r]*"
_LIST: Final = compile_later(rb'"tools"%b:%b(?=\[)' % (_SPACE, _SPACE))
_FIRST: Final = compile_later(rb'%b\{%b("(?:[^"\\]|\\.){0,99}")' % (_SPACE, _SPACE))


class _Object(msgspec.Struct, gc=False):
    """Any object; what is in it is read over."""


class _PlainSchema(msgspec.Struct, gc=False):
    """A schema that every model of the SDK takes."""

    type: Literal["object"]
    schema: str = msgspec.field(default="", name="$schema")
    properties: dict[str, _Object] = msgspec.field(default_factory=dict[str, _Object])
    required: list[str] = msgspec.field(default_factory=list[str])


_TOOLS: Final = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])
_STRING: Final = msgspec.json.Decoder(str)
_SCHEMAS: Final = frozenset(("inputSchema", "outputSchema"))
_SCHEMA: Final = msgspec.json.Decoder(_PlainSchema)


class PackedToolList:
    """The list of a message. In its pages there is a `stand_in` for each plain schema.

    It is the smallest schema that every model of the SDK takes, and passes on with what it has.
    """

    def __init__(self, line: bytes, start: int, end: int, result: dict[str, Any]) -> None:
        """Args: start, end: of what is between the brackets. result: all but the tools."""
        self._line, self._start, self._at, self._end = line, start, start, end
        self._result = result
        self._tools: list[dict[str, Any]] = []
        self._count = 0
        self._rest: LongToolList | None = None
        self.page: dict[str, Any] = {}
        """The result with the tools that were read last."""
        self.is_last = False
        """Whether there are none after them."""

    @classmethod
    def find(cls, line: bytes) -> PackedToolList | None:
        """The list in a message whose result has one; None where it is not plainly there."""
        for found in islice(_LIST.finditer(line, 0, _ENDS), _TRIES):
            start = found.end() + 1
            first_end = max(start, len(line) - _ENDS)
            end = len(line)
            for _ in range(_TRIES):
                end = line.rfind(b"]", first_end, end)
                result = _result_around(line[: start - 1], line[end + 1 :]) if end >= 0 else None
                if result is not None:
                    return cls(line, start, end, result)
        return None

    def read_page(self) -> bool:
        """Read on until there is another page. Returns whether that is all there is.

        Raises:
            ValueError, RecursionError: it is not JSON from here on.
        """
        while self._rest is None and self._at < self._end and len(self._tools) <= PAGE:
            chunk = self._next_chunk()
            if chunk is None:
                self._rest = begin_tools(self._unread())
            else:
                self._count += len(chunk)
                self._tools += map(_with_stand_ins, chunk)
        if self._rest is not None and not self._tools:
            self.is_last = self._rest.read_page()
            self.page = self._rest.page
            return self.is_last
        self.page = {**self._result, "tools": self._tools[:PAGE]}
        del self._tools[:PAGE]
        self.is_last = self._rest is None and not self._tools and self._at >= self._end
        return self.is_last

    def _next_chunk(self) -> list[dict[str, msgspec.Raw]] | None:
        """The tools that are read next; None where they cannot be."""
        for stop, following in self._places():
            try:
                tools = _TOOLS.decode(b"[%b]" % self._line[self._at : stop])
            except (ValueError, RecursionError):
                continue  # an end that is none, or there is none
            self._at = following
            return tools
        return None

    def _places(self) -> Iterator[tuple[int, int]]:
        """Where the chunk may end, and where the one after it begins: what can be read is right.

        Until a value is whole nothing that follows it changes how it is read.
        """
        first = _FIRST.match(self._line, self._at)
        last = min(self._end, self._at + _MAX_CHUNK)
        if first is not None and self._end - self._at > 2 * _CHUNK:
            between = rb"\}(%b,%b)(?=\{%b%b)" % (_SPACE, _SPACE, _SPACE, re.escape(first[1]))
            places = re.compile(between).finditer(self._line, self._at + _CHUNK, last)
            for place in islice(places, _TRIES):
                yield place.start() + 1, place.end()
        if last == self._end:
            yield self._end, self._end

    def _unread(self) -> str:
        """The message without the tools that were read, nor what is nested too deeply."""
        text, odd = without_deep_parts(self._line[: self._start] + self._line[self._at :])
        report_deep_parts("tools/list", [number + self._count for number in odd])
        return text.decode("utf-8", "replace")


def _result_around(before: bytes, after: bytes) -> dict[str, Any] | None:
    """The result of a message without the list that is between these; None where it is not one."""
    text = b'%b"%b"%b' % (before, _MARK.encode(), after)
    try:
        message: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.keys() != {"jsonrpc", "id", "result"}:
        return None
    result = cast("dict[str, Any]", message)["result"]
    if not isinstance(result, dict) or cast("dict[str, Any]", result).get("tools") != _MARK:
        return None
    return cast("dict[str, Any]", result)


def _with_stand_ins(tool: dict[str, msgspec.Raw]) -> dict[str, Any]:
    return {
        name: _schema(bytes(text)) if name in _SCHEMAS else _value(bytes(text))
        for name, text in tool.items()
    }


def _value(text: bytes) -> Any:
    if text.startswith(b'"'):
        with suppress(ValueError):  # not UTF-8
            return _STRING.decode(text)
    return JsonText(text).parse()


def _schema(text: bytes) -> Any:
    given = JsonText(text)
    if _READ_BY_SDK in text or not _is_plain(text):
        try:
            return given.parse()
        except RecursionError:
            cut, _ = without_deep_parts(text)
            return JsonText(cut).parse()
    return stand_in(given, type="object")


def _is_plain(schema: bytes) -> bool:
    try:
        _SCHEMA.decode(schema)
    except (ValueError, RecursionError):
        return False
    return True
