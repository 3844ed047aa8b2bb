"""Large tool results: the model is given their beginning, and a tool of the session to read on.

The texts are files in the session's folder; their names are numbers, so a model cannot choose a
path. Must not store small results, nor more than the session's share of the disk.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from desktop.base.private_files import make_private_folder, opener
from desktop.features.models.formats.content_parts import structured_text
from desktop.tools.adapters import DefinedTool
from desktop.values.tool_types import (
    Annotations,
    Content,
    ErrorCode,
    ToolDefinition,
    ToolResult,
    failed,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.values.tool_types import JsonObject, Progress

MAX_RESULT_LENGTH: Final = 40_000
"""Characters of one result that the model is given whole; it can read on in a longer one."""
MAX_STORED_LENGTH: Final = 50_000_000
"""Characters of all large results of a session that are stored."""
OWN_SERVER: Final = "session"
"""The name under which a session offers its own tools, as if they were a server's."""
MAX_PAGE_LENGTH: Final = 20_000
"""Characters that the model can read at a time."""
MAX_MEDIA_BYTES: Final = 16_000_000
"""Bytes of all media of one result that the model is given."""
MAX_SHOWN_LENGTH: Final = 8_000
"""Characters of a large result that the model is given at once."""

READ_RESULT: Final = ToolDefinition(
    server=OWN_SERVER,
    name="read_result",
    title="Read on in a large result",
    description="Reads a part of an earlier tool result that was too long to be given at once.",
    input_schema={
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "The id that the cut result names."},
            "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "The character to begin with, from 0.",
            },
            "length": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_PAGE_LENGTH,
                "description": f"Characters to read, at most {MAX_PAGE_LENGTH}.",
            },
        },
        "required": ["id", "offset"],
        "additionalProperties": False,
    },
    annotations=Annotations(read_only=True, destructive=False, idempotent=True, open_world=False),
)


class LargeResultStore:
    """The large results of one session."""

    def __init__(
        self,
        folder: Path,
        *,
        max_result: int = MAX_RESULT_LENGTH,
        max_stored: int = MAX_STORED_LENGTH,
    ) -> None:
        """Args: max_result: characters of a result that is not large. max_stored: of all files."""
        self._folder, self._max_result, self._left = folder, max_result, max_stored
        self._sizes: dict[str, int] = {}
        self.find_said: Callable[[str], str | None] = lambda _: None
        """Gives the text of an answer of the conversation, by the name in its short form."""

    def recover(self) -> None:
        """Find again what an earlier run of the session kept. For a thread."""
        for file in self._folder.glob("r*.txt"):
            if file.stem[1:].isdecimal():
                self._sizes[file.stem] = size = file.stat().st_size
                self._left -= size

    async def fit(self, result: ToolResult, cover: Callable[[str], str]) -> ToolResult:
        """The result as the model is given it; `cover` takes secrets out of what is written."""
        result = limit_media(result)
        is_short = result.spilled is None and isinstance(result.readable_output, str)
        if is_short and result.structured is None:
            text = result_text(result)
        else:  # which may be large
            text = await asyncio.to_thread(result_text, result)
        if len(text) <= self._max_result:
            return result
        if len(text) > self._left:
            return shorten_result(result, text, "The rest is not kept: ask for less.")
        self._left -= len(text)
        name = f"r{len(self._sizes) + 1}"
        self._sizes[name] = len(text)
        try:
            await asyncio.to_thread(self._write, name, text, cover)
        except OSError as error:
            return shorten_result(result, text, f"The rest could not be kept ({error.strerror}).")
        how = f'{OWN_SERVER}__{READ_RESULT.name} with id "{name}" and offset {MAX_SHOWN_LENGTH}'
        return shorten_result(result, text, f"The rest can be read with {how}.")

    async def read(self, name: str, offset: int, length: int) -> ToolResult:
        """A part of a kept text; every failure is a result."""
        if (said := self.find_said(name)) is not None:
            return _page(said, offset, length)
        if name not in self._sizes:
            known = ", ".join(self._sizes) or "none"
            message = f"There is no kept result {name[:40]!r}. There are: {known}."
            return failed("UnknownResult", message, ErrorCode.TOOL_ERROR)
        try:
            text = await asyncio.to_thread(self._read, name)
        except OSError as error:
            return failed("OSError", f"It cannot be read: {error.strerror}.", ErrorCode.TOOL_ERROR)
        return _page(text, offset, length)

    def _write(self, name: str, text: str, cover: Callable[[str], str]) -> None:
        make_private_folder(self._folder)
        path = self._folder / f"{name}.txt"
        with open(path, "w", encoding="utf-8", errors="replace", opener=opener) as file:
            file.write(cover(text))

    def _read(self, name: str) -> str:
        return (self._folder / f"{name}.txt").read_text("utf-8")


def _page(text: str, offset: int, length: int) -> ToolResult:
    end = min(offset + length, len(text))
    said = text[offset:end]
    more = f"more at offset {end}" if end < len(text) else "this is its end"
    output = f"{said}\n[characters {min(offset, end)} to {end} of {len(text)}; {more}]"
    return ToolResult(success=True, output=output, content=(Content("text", output),))


class ReadResultTool(DefinedTool):
    """The tool of the session with which the model reads on."""

    definition = READ_RESULT

    def __init__(self, kept: LargeResultStore) -> None:
        self._kept = kept

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """The executor has validated the arguments; the length is bounded all the same."""
        length = min(int(arguments.get("length", MAX_PAGE_LENGTH)), MAX_PAGE_LENGTH)
        return await self._kept.read(arguments["id"], int(arguments["offset"]), length)


def result_text(result: ToolResult) -> str:
    """What a model would be given to read."""
    said = result.output or (result.error.message if result.error is not None else "")
    return "\n".join(filter(None, (said, structured_text(result))))


def limit_media(result: ToolResult) -> ToolResult:
    """The result without the media that are too much for one message: notes stand for them."""
    left, content = MAX_MEDIA_BYTES, list[Content]()
    for block in result.content:
        size = len(block.readable_data)
        left -= size
        if size and left < 0:
            note = f"[{block.kind}: {block.mime}, {size:,} bytes, too much with the rest]"
            block = Content("text", note)
        content.append(block)
    return replace(result, content=tuple(content)) if left < 0 else result


def shorten_result(result: ToolResult, text: str, note: str) -> ToolResult:
    """The beginning, with a note of what is missing; media stay, structured content goes."""
    begin = (
        f"{text[:MAX_SHOWN_LENGTH]}\n"
        f"[This result has {len(text)} characters; these are the first {MAX_SHOWN_LENGTH}. "
        f"{note}]"
    )
    media = tuple(block for block in result.content if block.data)
    error = result.error and replace(result.error, message=begin)
    content = (Content("text", begin), *media)
    return replace(result, output=begin, error=error, content=content, structured=None)
