"""Turns the SDK's results and their blocks into ours, and blocks into text.

Source: MCP specification, server/tools, "Tool Result", and server/resources. Decides nothing; drops
nothing.
"""

from __future__ import annotations

import asyncio
import re
from binascii import a2b_base64
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import mcp_types as types
from pydantic import ValidationError

from desktop.base.later_patterns import compile_later
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.values.tool_types import JsonObject

_Made = TypeVar("_Made")
_PIECE: Final = 1024 * 1024
"""Characters of base64 that are decoded at once: 2 ms."""


def flatten_content(content: Iterable[Content]) -> str:
    """All blocks as one text: media and resources by a note of what they are."""
    return "\n".join(_as_text(block) for block in content)


def from_sdk(result: types.CallToolResult) -> ToolResult:
    """The SDK's result without loss; `is_error` becomes an error with the tool's own words."""
    content = tuple(content_from_sdk(block) for block in result.content)
    output = flatten_content(content)
    error = None
    if result.is_error:
        message = output.strip() or "The tool reported an error without a text."
        error = ToolError("ToolError", message, ErrorCode.TOOL_ERROR)
    return ToolResult(
        success=error is None,
        output=output,
        error=error,
        content=content,
        structured=result.structured_content,
        meta=dict(result.meta or {}),
    )


def from_json(result: JsonObject) -> ToolResult | None:
    """The same of a result as a message had it, such as a recorded one; None where it is none."""
    try:
        return from_sdk(types.CallToolResult.model_validate(result))
    except ValidationError:
        return None


def contents_from_sdk(
    contents: Iterable[types.TextResourceContents | types.BlobResourceContents],
) -> tuple[Content, ...]:
    """What a read of a resource brought."""
    return tuple(_resource(each) for each in contents)


async def beside_loop(
    make: Callable[[], _Made],
    blocks: Iterable[types.ContentBlock | types.ResourceContents],
) -> _Made:
    """What `make` makes of these blocks; in a thread where they have much to decode."""
    is_long = any(map(_is_long, blocks))
    return await asyncio.to_thread(make) if is_long else make()


def _is_long(block: object) -> bool:
    match block:
        case types.TextContent():  # first, as most are: every call waits for this
            return False
        case types.ImageContent() | types.AudioContent():
            return len(block.data) > _PIECE
        case types.BlobResourceContents():
            return len(block.blob) > _PIECE
        case types.EmbeddedResource():
            return _is_long(block.resource)
        case _:
            return False


def _as_text(block: Content) -> str:
    if block.kind == "text":
        return block.text
    if block.kind == "image":
        return f"[Image: {block.mime}]"
    if block.kind == "audio":
        return f"[Audio: {block.mime}]"
    note = f"[Resource: {block.uri}]"
    return f"{note}\n{block.text}" if block.text else note


def content_from_sdk(block: types.ContentBlock) -> Content:
    """One block of a result or of a message."""
    match block:
        case types.TextContent():
            return Content("text", text=block.text)
        case types.ImageContent():
            return _media("image", block.data, block.mime_type, "")
        case types.AudioContent():
            return _media("audio", block.data, block.mime_type, "")
        case types.ResourceLink():
            return Content(
                "link",
                uri=str(block.uri),
                mime=block.mime_type or "",
                name=block.title or block.name,
                text=block.description or "",
            )
        case types.EmbeddedResource():
            return _resource(block.resource)


def _resource(resource: types.TextResourceContents | types.BlobResourceContents) -> Content:
    common: dict[str, Any] = {"uri": str(resource.uri), "mime": resource.mime_type or ""}
    if isinstance(resource, types.TextResourceContents):
        return Content("resource", text=resource.text, **common)
    return _media("resource", resource.blob, common["mime"], common["uri"])


_DATA_URL: Final = compile_later(
    r"\s*data:([^;,\s]{0,100})(?:;[^;,\s]{0,100})*;base64,", re.IGNORECASE
)
_ADDRESS: Final = compile_later(r"\s*((?:https?|file)://\S{1,2000})\s*")
_TO_STANDARD: Final = str.maketrans("-_", "+/", "\t\r\n")
_SHOWN: Final = 100
"""Characters that are shown of what is no base64."""


def _media(kind: Literal["image", "audio", "resource"], data: str, mime: str, uri: str) -> Content:
    """A block with bytes; what is no base64 is an address, or is shown as the text that it is."""
    if (url := _DATA_URL.match(data, 0, 512)) is not None:
        data, mime = data[url.end() :], mime or url[1]
    try:
        return Content(kind, data=_decoded(data), mime=mime, uri=uri)
    except ValueError:
        pass
    if (address := _ADDRESS.fullmatch(data)) is not None:
        return Content("link", uri=address[1], mime=mime)
    shown = data if len(data) <= _SHOWN else f"{data[:_SHOWN]}…"
    return Content("text", text=f"[{kind.title()}: {mime}, whose data is not base64: {shown}]")


def _decoded(data: str) -> bytes:
    """The bytes of base64, of its alphabet for URLs and without its padding, too.

    Raises:
        ValueError: it is none.
    """
    decoded = BytesIO()
    rest = ""
    for start in range(0, len(data), _PIECE):
        part = rest + data[start : start + _PIECE]
        if not _is_standard(part):
            part = part.translate(_TO_STANDARD)
        whole = len(part) // 4 * 4
        decoded.write(a2b_base64(part[:whole], strict_mode=True))
        rest = part[whole:]
        if "=" in part[-2:] and len(data) > start + _PIECE and data[start + _PIECE :].strip():
            raise ValueError("there is more behind its end")
    if rest := rest.rstrip("="):
        decoded.write(a2b_base64(rest + "=" * (-len(rest) % 4), strict_mode=True))
    return decoded.getvalue()


def _is_standard(part: str) -> bool:
    return not any(letter in part for letter in "-_\n\r\t")
