"""`Download`: a file that an app would like a person to save; where to is theirs to say.

Its content is in the request, or a resource of the app's own server, read there and nowhere else.
Must not write anything. Source: MCP Apps 2026-01-26, `ui/download-file`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from desktop.features.mcp_apps.limits import MAX_DOWNLOAD, MAX_DOWNLOADS
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.values.tool_types import JsonObject

_MAX_URI = 2_000


class Download(Struct, frozen=True, eq=False):
    """`wanted` is what the app calls it: no name of a file before it is made one."""

    wanted: str
    mime: str
    content: bytes


async def read_downloads(
    params: JsonObject, read: Callable[[str], Awaitable[JsonObject]]
) -> tuple[Download, ...]:
    """The files of a request.

    Args:
        params: of the request.
        read: reads a resource of the app's server.

    Raises:
        ValueError: there is none, one is broken, or they are too many or too large; the sentence is
            for the app. And whatever `read` raises.
    """
    contents: Any = params.get("contents")
    if not isinstance(contents, list) or not contents:
        raise ValueError("Give `contents`.")
    blocks = [_object(one) for one in cast("list[Any]", contents)]
    if len(blocks) > MAX_DOWNLOADS:
        raise ValueError(f"{MAX_DOWNLOADS} files at most, at a time.")
    made: list[Download] = []
    for block in blocks:
        made.append(await _read(block, read))
        if sum(len(each.content) for each in made) > MAX_DOWNLOAD:
            raise ValueError(f"{MAX_DOWNLOAD} bytes at most.")
    return tuple(made)


async def _read(block: JsonObject, read: Callable[[str], Awaitable[JsonObject]]) -> Download:
    name = block.get("name", "")
    if block.get("type") == "resource":
        resource = _object(block.get("resource"))
    elif block.get("type") == "resource_link":
        uri = block.get("uri")
        if not isinstance(uri, str) or len(uri) > _MAX_URI:
            raise ValueError("A link has no `uri`.")
        contents = (await read(uri)).get("contents")
        listed = cast("list[Any]", contents) if isinstance(contents, list) else []
        resource = _object(listed[0] if listed else None)
    else:
        raise ValueError("`contents` are embedded resources and links to resources.")
    wanted: Any
    mime: Any
    wanted, mime = name or resource.get("uri", ""), resource.get("mimeType", "")
    is_named = isinstance(wanted, str) and isinstance(mime, str)
    if not is_named:
        raise ValueError("A name or MIME type is no text.")
    return Download(wanted[-_MAX_URI:], mime[:200], _content(resource))


def _content(resource: JsonObject) -> bytes:
    text, blob = resource.get("text"), resource.get("blob")
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode(blob if isinstance(blob, str) else "-", validate=True)
    except (ValueError, binascii.Error):
        raise ValueError("A resource has neither `text` nor a `blob` in base64.") from None


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else EMPTY
