"""What a tool answered, in pieces that every provider has a place or a note for.

Never empty. Must not know a provider.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop.llm.formats.json_copy import plain_text
from desktop.llm.formats.media import LARGEST, real_type

if TYPE_CHECKING:
    from desktop.tool_types import Content, ToolResult

NOTHING: Final = "(The tool returned nothing.)"


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, or a medium with its real type; `text` of a medium is the note that stands for it."""

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


def pieces(result: ToolResult) -> list[Piece]:
    """The blocks of a result in their order; its `structuredContent` only where there are none."""
    found = [piece_of(block) for block in result.content]
    if not any(piece.text.strip() for piece in found):
        found = []
    if not found and result.error is not None:
        found = [Piece(plain_text(result.error.message))]
    if not found and result.structured is not None:
        found = [Piece(plain_text(json.dumps(result.structured, ensure_ascii=False, default=str)))]
    return [piece for piece in found if piece.text.strip()] or [Piece(NOTHING)]


def only_text(found: list[Piece]) -> str:
    """All pieces as one text: media as their notes."""
    return "\n".join(piece.text for piece in found)


def piece_of(block: Content) -> Piece:
    """One block: a medium that providers take, or the text that stands for it."""
    match block.kind:
        case "text":
            return Piece(plain_text(block.text))
        case "image":
            return _medium(block, f"[Image: {block.mime}]")
        case "audio":
            return Piece(plain_text(f"[Audio: {block.mime}, {_size(block)}, cannot be sent]"))
        case "link":
            said = [f"[Link: {block.name or block.uri}] {block.uri}", block.text]
            return Piece(plain_text("\n".join(filter(None, said))))
        case "resource":
            note = f"[Resource: {block.uri}]"
            if block.data:
                return _medium(block, note)
            return Piece(plain_text(f"{note}\n{block.text}" if block.text else note))


def _medium(block: Content, note: str) -> Piece:
    kind = real_type(block.data)
    if not kind:
        what = "not of a kind that can be sent" if block.data else "empty"
        return Piece(plain_text(f"{note} ({block.mime or 'unknown type'}, {_size(block)}, {what})"))
    if len(block.data) > LARGEST:
        return Piece(plain_text(f"{note} ({_size(block)}, too large to be sent)"))
    return Piece(plain_text(note), block.data, kind, plain_text(block.name or block.uri))


def _size(block: Content) -> str:
    return f"{len(block.data):,} bytes"
