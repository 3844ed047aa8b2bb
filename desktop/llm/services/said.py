"""What a person said, in pieces that every provider has a place or a note for. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.llm.formats.json_copy import plain_text
from desktop.llm.formats.pieces import Piece, piece_of
from desktop.tool_types import Content

if TYPE_CHECKING:
    from desktop.llm.messages import UserMessage

NOTHING: Final = "(The message is empty.)"


def said(message: UserMessage) -> list[Piece]:
    """The pictures, then the text; never empty, as no provider takes an empty message."""
    found = [
        piece_of(Content("image", data=image.data, mime=image.mime)) for image in message.images
    ]
    if message.text.strip():
        found.append(Piece(plain_text(message.text)))
    return found or [Piece(NOTHING)]
