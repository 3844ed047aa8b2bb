"""Repairs one block of content: of a tool's result, or of a message of a prompt.

What is no block is shown as the JSON it is. Source: MCP specification, server/tools, "Tool Result".
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final, cast

import mcp_types as types

from desktop.base.translatable import translatable
from desktop.servers.repair.message_repair import quoted
from desktop.servers.repair.model_fit import Raw, is_valid
from desktop.servers.repair.oddities import report_oddity
from desktop.values.media_types import detect_media_type

MAX_ODD_BLOCK = 20_000
"""Characters of a block that is shown as JSON because it is not a block."""
_SNIFFED = 64
"""Base64 characters from which a media type is detected."""
_MEDIA: Final = ("image", "audio")


def repair_block(where: str, given: Any) -> Any:
    """The block, or a text block in its place; `where` is the method, for what is said of it."""
    if isinstance(given, str):
        return {"type": "text", "text": given}
    if not isinstance(given, dict):
        return as_json(given)
    block = dict(cast("Raw", given))
    if _is_block(block):
        return block
    report_oddity(where, translatable("a content block is of an unknown type"))
    for extra in ("annotations", "_meta"):
        block.pop(extra, None)
    data: object = block.get("data")
    if block.get("type") in _MEDIA and isinstance(data, str):
        kind = _media_type(data)
        if kind.startswith(f"{block['type']}/"):
            block["mimeType"] = kind
    return block if _is_block(block) else as_json(cast("object", given))


def _media_type(data: str) -> str:
    try:
        return detect_media_type(base64.b64decode(data[:_SNIFFED]))
    except (binascii.Error, ValueError):
        return ""


def as_json(value: object) -> Raw:
    """A block that shows a value that is none."""
    return {"type": "text", "text": quoted(value, MAX_ODD_BLOCK)}


def _is_block(value: object) -> bool:
    return is_valid(types.ContentBlock, value)
