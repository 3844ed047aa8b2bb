"""Converts the content of a tool result to parts that every provider accepts or has a note for.

A provider refuses the whole conversation for one image whose media type is wrong, so the type is
read from the first bytes, whatever the server says. Must not know a provider; decodes no media.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.features.models.json_values import as_object, plain_text
from desktop.values.media_types import PDF, detect_media_type
from desktop.values.tool_types import NOT_FINITE

if TYPE_CHECKING:
    from desktop.features.models.messages import ToolAnswer
    from desktop.values.tool_types import Content, ToolResult

NOTHING: Final = "(The tool returned nothing.)"
IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
MAX_MEDIA_BYTES: Final = 3_900_000
"""Bytes; 5 MiB of base64, above which Anthropic refuses an image."""


MAX_CORRECTED: Final = 4_000
"""Characters of corrected arguments that a model is told."""
CORRECTED: Final = (
    "[The person changed the arguments of this call before it was sent. It was sent with "
    "{arguments}]"
)


class ContentPart(Struct, frozen=True):
    """Text, or media with its real type and a note in `text` that can stand for it."""

    text: str
    content: bytes = b""
    mime: str = ""
    name: str = ""

    @property
    def is_text(self) -> bool:
        return not self.content

    @property
    def base64(self) -> str:
        return base64.b64encode(self.content).decode("ascii")

    @property
    def data_url(self) -> str:
        return f"data:{self.mime};base64,{self.base64}"


def convert_result(result: ToolResult) -> list[ContentPart]:
    """The content of a result, and its `structuredContent` where that says more; never empty."""
    found = [convert_content(block) for block in result.content]
    if not any(part.text.strip() for part in found):
        found = []
    if not found and result.error is not None:
        found = [ContentPart(plain_text(result.error.message))]
    if text := structured_text(result):
        found.append(ContentPart(plain_text(text)))
    odd = (issue for issue in result.output_issues or () if issue.code == NOT_FINITE)
    found += [ContentPart(f"[{issue}]") for issue in odd]
    return [part for part in found if part.text.strip()] or [ContentPart(NOTHING)]


def convert_answer(answer: ToolAnswer, error_prefix: str = "") -> list[ContentPart]:
    """The content of an answer; what a person changed and what the app tells come first.

    Args: error_prefix: what an error begins with, where the format has no other sign for it.
    """
    found = convert_result(answer.result)
    if answer.result.is_error and error_prefix:
        first = found[0] if found[0].is_text else ContentPart("")
        said = ContentPart(f"{error_prefix}{first.text}".strip())
        found = [said, *(found[1:] if first is found[0] else found)]
    if answer.note:
        found.insert(0, ContentPart(plain_text(f"[{answer.note}]")))
    if answer.corrected is None:
        return found
    sent = json.dumps(answer.corrected, ensure_ascii=False, default=str)
    if len(sent) > MAX_CORRECTED:
        sent = f"{sent[:MAX_CORRECTED]}… ({len(sent):,} characters)"
    return [ContentPart(plain_text(CORRECTED.format(arguments=sent))), *found]


def structured_text(result: ToolResult) -> str:
    """The `structuredContent` as JSON; empty where there is none, or a text says the same.

    Servers repeat it as a text for older clients, SDKs as `{"result": ...}` around one value.
    """
    try:
        if result.structured is None or _is_said(result.structured, result.content):
            return ""
        return json.dumps(result.structured, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return ""


def _is_said(structured: object, content: tuple[Content, ...]) -> bool:
    texts = [block.text for block in content if block.kind == "text" and block.text.strip()]
    if not texts:
        return False
    values = [_read(text) for text in texts]
    said = [*values, values, _read("\n".join(texts))]
    if structured in said:
        return True
    members = list(as_object(structured).values())
    return len(members) == 1 and (members[0] in said or members[0] in [*texts, texts])


def _read(text: str) -> object:
    """The value of a JSON text, null for NaN in it, as in a result; any other text is itself."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (RecursionError, ValueError):
        return text


def join_text(found: list[ContentPart]) -> str:
    """All parts as one text, media as their notes."""
    return "\n".join(part.text for part in found)


def convert_content(block: Content) -> ContentPart:
    """One content block: media that providers accept, or the text that stands for it."""
    match block.kind:
        case "text":
            return ContentPart(plain_text(block.text))
        case "image":
            return _convert_media(block, f"[Image: {block.mime}]")
        case "audio":
            return ContentPart(plain_text(f"[Audio: {block.mime}, {_size(block)}, cannot be sent]"))
        case "link":
            said = [f"[Link: {block.name or block.uri}] {block.uri}", block.text]
            return ContentPart(plain_text("\n".join(filter(None, said))))
        case "resource":
            note = f"[Resource: {block.uri}]"
            if block.data:
                return _convert_media(block, note)
            return ContentPart(plain_text(f"{note}\n{block.text}" if block.text else note))


def _convert_media(block: Content, note: str) -> ContentPart:
    kind = detect_media_type(block.data)
    if kind not in (*IMAGES, PDF):
        what = "not of a kind that can be sent" if block.data else "empty"
        return ContentPart(
            plain_text(f"{note} ({block.mime or 'unknown type'}, {_size(block)}, {what})")
        )
    if len(block.data) > MAX_MEDIA_BYTES:
        return ContentPart(plain_text(f"{note} ({_size(block)}, too large to be sent)"))
    return ContentPart(plain_text(note), block.data, kind, plain_text(block.name or block.uri))


def _size(block: Content) -> str:
    return f"{len(block.data):,} bytes"
