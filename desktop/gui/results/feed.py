"""A result as the parts that a person reads from the top down: values, texts, and other blocks.

The blocks keep their order; texts that follow each other are one part. The structured content comes
first where the tool has an output schema, and a text that only repeats it is left out (says the
specification: server/tools, "Structured Content"). Makes no widgets.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.gui.results.structured import (
    MAX_READ_AT_ONCE,
    Structured,
    content_text,
    looks_like_json,
    read_json,
)
from desktop.values.spilled import beginning
from desktop.values.tool_types import Content, ToolResult, wrapped_value

if TYPE_CHECKING:
    from desktop.values.resource_types import ReadResult
    from desktop.values.spilled import ReadableText

MAX_VALUES = 20
"""JSON texts that are shown as values; what comes after them is text."""


class TextPart(Struct, frozen=True):
    """Texts that follow each other."""

    blocks: tuple[ReadableText, ...]
    joined: ReadableText | None = None
    """All of them, where that is on disk."""

    @property
    def whole(self) -> ReadableText:
        """All of them, one below the other."""
        return self.joined or "\n".join(block[:] for block in self.blocks)


class ValuePart(Struct, frozen=True):
    """A JSON value; `text` is what the server wrote, where it came as a text."""

    source: Structured
    text: ReadableText = ""


class BlockPart(Struct, frozen=True):
    """A picture, a sound, bytes, a resource or a link."""

    content: Content


Part: TypeAlias = TextPart | ValuePart | BlockPart


def feed_of(result: ToolResult) -> list[Part]:
    """All parts of a result, in the order in which they are read."""
    spilled = result.spilled
    structured = result.structured if spilled is None else None
    parts = _Parts(structured)
    if _has_own_text(result):
        blocks = result.content or _output_alone(result)
    else:
        blocks = [block for block in result.content if block.kind != "text"]
    for is_text, run in groupby(blocks, lambda block: block.kind == "text"):
        for block in run:
            parts.add_text(block.readable_text) if is_text else parts.add_block(block)
        parts.end_texts()
    parts.found = [_with_whole(result, part) for part in parts.found]
    if spilled is not None:
        waiting = ValuePart(Structured(found=False, waiting=spilled.text), spilled.text)
        parts.found.insert(len(parts.found) if spilled.is_said else 0, waiting)
    elif structured is not None:
        parts.found.insert(_place_of(result, parts), ValuePart(Structured(True, structured)))
    elif result.output_issues and not any(isinstance(part, ValuePart) for part in parts.found):
        parts.found.insert(0, ValuePart(Structured(found=True)))  # that nothing came is the finding
    return parts.found


def _with_whole(result: ToolResult, part: Part) -> Part:
    """Spare joining texts that are on disk, where the output is just that."""
    output = result.readable_output
    if not isinstance(part, TextPart) or isinstance(output, str):
        return part
    return replace(part, joined=output) if len(part.blocks) == len(result.content) else part


class _Parts:
    def __init__(self, structured: Any) -> None:
        self._structured = structured
        self._texts: list[ReadableText] = []
        self._left = MAX_READ_AT_ONCE
        self._values = 0
        self.found: list[Part] = []
        self.repeat: int | None = None
        """Where a text stood that says no more than the structured content."""

    def add_text(self, text: ReadableText) -> None:
        value = self._value(text)
        if value.found and self._is_repeated(value.value):
            self.end_texts()
            self.repeat = len(self.found) if self.repeat is None else self.repeat
        elif value.found or value.waiting:
            self._add_value(value, text)
        else:
            self._texts.append(text)

    def add_block(self, block: Content) -> None:
        text = block.readable_text if block.kind == "resource" else ""
        value = self._value(text)
        if value.found or value.waiting:
            self._add_value(replace(value, origin=block.uri), text)
        else:
            self.found.append(BlockPart(block))

    def end_texts(self) -> None:
        if any(self._texts):
            self.found.append(TextPart(tuple(self._texts)))
        self._texts = []

    def _add_value(self, value: Structured, text: ReadableText) -> None:
        self.end_texts()
        self._values += 1
        self.found.append(ValuePart(value, text))

    def _value(self, text: ReadableText) -> Structured:
        """What is in a text of JSON; long ones wait until a person asks."""
        if not looks_like_json(text) or self._values >= MAX_VALUES:
            return Structured(found=False)
        if len(text) > self._left:
            return Structured(found=False, waiting=text)
        value = read_json(text[:])
        self._left -= len(text) if value.found else 0
        return value

    def _is_repeated(self, value: Any) -> bool:
        # Not `same_json`: over a megabyte of values that takes longer than reading them.
        whole = self._structured
        return whole is not None and value in (whole, wrapped_value(whole))


def _place_of(result: ToolResult, parts: _Parts) -> int:
    """First where a schema promised it, unless a text says it better; else where its text was."""
    texts = [part for part in parts.found if isinstance(part, TextPart)]
    is_said = len(texts) == 1 and texts[0].blocks == (wrapped_value(result.structured),)
    if result.output_issues is not None and not is_said:
        return 0
    return len(parts.found) if parts.repeat is None else parts.repeat


def _output_alone(result: ToolResult) -> tuple[Content, ...]:
    output = cast("str", result.readable_output)  # as it is, on disk or not
    return (Content("text", output),) if output else ()


def _has_own_text(result: ToolResult) -> bool:
    """Whether the text says more than the error card does already."""
    said = result.error.message.strip() if result.error else ""
    has_text = not result.content or any(block.kind == "text" for block in result.content)
    output = result.readable_output
    is_said = isinstance(output, str) and output.strip() == said
    return bool(output) and has_text and not is_said


def as_result(read: ReadResult) -> ToolResult:
    """What a read brought: a text of a resource becomes a text; all else stays as it is."""
    blocks = tuple(map(_shown, read.contents))
    texts = [block.readable_text for block in blocks if block.kind == "text"]
    # The only one may be on disk: then it stays there.
    output = cast("str", texts[0]) if len(texts) == 1 else "\n".join(map(beginning, texts))
    return ToolResult(
        success=read.error is None,
        output=output,
        content=blocks,
        error=read.error,
        execution_time=read.seconds,
        meta=read.meta,
    )


def _shown(block: Content) -> Content:
    text = content_text(block)
    if block.mime.split(";")[0].strip().lower() == "image/svg+xml":
        return block
    if not text and len(block.readable_data):
        return block
    return replace(block, kind="text", text=cast("str", text), data=b"")
