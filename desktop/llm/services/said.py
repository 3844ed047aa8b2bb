"""What a person said, in pieces that every provider has a place or a note for. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.llm.formats.content_parts import ContentPart, convert_content
from desktop.llm.json_values import plain_text
from desktop.tools.result import Content

if TYPE_CHECKING:
    from desktop.llm.messages import UserMessage

NOTHING: Final = "(The message is empty.)"


def said(message: UserMessage) -> list[ContentPart]:
    """The pictures, then the text; never empty, as no provider takes an empty message."""
    found = [
        convert_content(Content("image", data=image.data, mime=image.mime))
        for image in message.images
    ]
    if message.text.strip():
        found.append(ContentPart(plain_text(message.text)))
    return found or [ContentPart(NOTHING)]
