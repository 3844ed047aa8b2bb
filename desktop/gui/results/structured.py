"""What is in a text of JSON, and which view shows which block of a result.

Parsing JSON blocks the loop for as long as it takes, so long texts wait until a person asks.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.values.spilled import ReadableText
    from desktop.values.tool_types import Content

ContentView: TypeAlias = Literal["text", "image", "audio", "other"]

_TEXTUAL = ("text/", "application/json", "application/xml", "image/svg+xml")
_MAX_DECODED_BYTES = 20_000_000


def content_view(content: Content) -> ContentView:
    """Media inside a resource are shown as media; SVG is a text and not drawn."""
    if content.kind == "text":
        return "text"
    if content.kind == "link" or _mime(content) == "image/svg+xml":
        return "other"
    if content.kind == "image" or (content.readable_data and _mime(content).startswith("image/")):
        return "image"
    if content.kind == "audio" or (content.readable_data and _mime(content).startswith("audio/")):
        return "audio"
    return "other"


def pictures_in(blocks: Iterable[Content]) -> tuple[bytes, ...]:
    """The pictures among blocks, as they are; what a model takes of them is decided elsewhere."""
    return tuple(
        block.data for block in blocks if block.mime.lower().startswith("image/") and block.data
    )


def content_text(content: Content) -> ReadableText:
    """Its text, also where a server sent a text as bytes; empty where there is none."""
    text, size = content.readable_text, len(content.readable_data)
    if text or not size:
        return text
    mime = _mime(content)
    is_textual = mime.startswith(_TEXTUAL) or mime.endswith(("+json", "+xml"))
    if not is_textual or size > _MAX_DECODED_BYTES:
        return ""
    try:
        return content.data.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _mime(content: Content) -> str:
    return content.mime.split(";")[0].strip().lower()


MAX_READ_AT_ONCE = 1_000_000
"""Characters of JSON that are read unasked: about 15 ms."""


class Structured(Struct, frozen=True):
    """A value to show as a tree; `waiting` is JSON text too long to be read unasked.

    `origin` is the URI of the resource whose text it is, empty for the result's own.
    """

    found: bool
    value: Any = None
    waiting: ReadableText = ""
    origin: str = ""


NOTHING = Structured(found=False)


def read_json(text: str) -> Structured:
    """The value of a whole text, or nothing where it is not JSON after all."""
    try:
        return Structured(found=True, value=json.loads(text))
    except (ValueError, RecursionError):
        return NOTHING


def looks_like_json(text: ReadableText) -> bool:
    """Whether it begins and ends as an object or a list does."""
    start, end = text[:200].lstrip()[:1], text[-200:].rstrip()[-1:]
    return (start, end) in {("{", "}"), ("[", "]")}


def pretty_json(value: Any) -> str:
    """A value as JSON a person can read; what JSON cannot say is shown as its text."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""


MAX_WRITTEN_VALUES = 2_000
MAX_WRITTEN_CHARACTERS = 100_000
"""What is written and coloured as a whole: about 30 ms. A tree shows more than that."""


def is_short_json(value: Any) -> bool:
    """Whether a value can be written out to be read; looks at no more than it has to."""
    waiting, seen, letters = [value], 0, 0
    while waiting:
        item = waiting.pop()
        seen += 1
        inside: list[Any] = []
        if isinstance(item, dict):
            members = cast("dict[str, Any]", item)
            inside, words = list(members.values()), list(members)
        elif isinstance(item, list):
            inside, words = cast("list[Any]", item), []
        else:
            words = [item] if isinstance(item, str) else []
        if seen + len(waiting) + len(inside) > MAX_WRITTEN_VALUES:
            return False
        letters += sum(map(len, words))
        if letters > MAX_WRITTEN_CHARACTERS:
            return False
        waiting += inside
    return True
