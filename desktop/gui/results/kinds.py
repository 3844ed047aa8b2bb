"""Which view each block of a result belongs to, and the text that is in it. Must not import Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from desktop.tool_types import Content

Place: TypeAlias = Literal["text", "image", "audio", "other"]

_TEXTUAL = ("text/", "application/json", "application/xml", "image/svg+xml")
_MOST_DECODED = 20_000_000


def place_of(content: Content) -> Place:
    """Media inside a resource are shown as media; SVG is a text and not drawn."""
    if content.kind == "text":
        return "text"
    if content.kind == "link" or _mime(content) == "image/svg+xml":
        return "other"
    if content.kind == "image" or (content.data and _mime(content).startswith("image/")):
        return "image"
    if content.kind == "audio" or (content.data and _mime(content).startswith("audio/")):
        return "audio"
    return "other"


def text_of(content: Content) -> str:
    """Its text, also where a server sent a text as bytes; empty where there is none."""
    if content.text or not content.data:
        return content.text
    mime = _mime(content)
    is_textual = mime.startswith(_TEXTUAL) or mime.endswith(("+json", "+xml"))
    if not is_textual or len(content.data) > _MOST_DECODED:
        return ""
    try:
        return content.data.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _mime(content: Content) -> str:
    return content.mime.split(";")[0].strip().lower()
