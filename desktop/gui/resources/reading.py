"""What a read brought, as the view of results shows it, and as a chat takes it. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.gui.results.structured import content_text
from desktop.tool_types import ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.resource_types import ReadResult
    from desktop.tool_types import Content


def as_result(read: ReadResult) -> ToolResult:
    """A text of a resource becomes a text, so that it is read as one; all else stays as it is."""
    blocks = tuple(map(_shown, read.contents))
    texts = [block.text for block in blocks if block.kind == "text"]
    return ToolResult(
        success=read.error is None,
        output=texts[0] if len(texts) == 1 else "\n".join(texts),
        content=blocks,
        error=read.error,
        execution_time=read.seconds,
        meta=read.meta,
    )


def _shown(block: Content) -> Content:
    text = content_text(block)
    if block.mime.split(";")[0].strip().lower() == "image/svg+xml":
        return block
    return replace(block, kind="text", text=text, data=b"") if text or not block.data else block


def quotation(server: str, uri: str, read: ReadResult) -> str:
    """The texts of a resource for a question to a model, with where they are from."""
    return "\n".join(_quoted(server, uri, read))


def _quoted(server: str, uri: str, read: ReadResult) -> Iterator[str]:
    for block in read.contents:
        if text := content_text(block):
            yield f'<resource server="{server}" uri="{block.uri or uri}">\n{text}\n</resource>'
