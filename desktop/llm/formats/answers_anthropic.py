"""Answers for Anthropic Messages: one user message with a `tool_result` for each call.

Sources: anthropic 2.11 `ToolResultBlockParam`; the server's "all content must be type 'text' if
'is_error' is true" and "content field ... is empty".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.llm.formats.media import IMAGES
from desktop.llm.formats.pieces import Piece, only_text, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.messages import ToolAnswer


def messages(answers: Sequence[ToolAnswer]) -> list[dict[str, Any]]:
    """One user message, as the results have to come first in the one that follows the calls."""
    return [{"role": "user", "content": [_block(answer) for answer in answers]}] if answers else []


def _block(answer: ToolAnswer) -> dict[str, Any]:
    found = pieces(answer.result)
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": answer.call_id}
    if answer.result.is_error:
        text = {"type": "text", "text": only_text(found)}
        return {**block, "content": [text], "is_error": True}
    return {**block, "content": [part(piece) for piece in found]}


def part(piece: Piece) -> dict[str, Any]:
    """A piece as content block of a message or of a result."""
    if piece.is_text:
        return {"type": "text", "text": piece.text}
    kind = "image" if piece.mime in IMAGES else "document"
    source = {"type": "base64", "media_type": piece.mime, "data": piece.base64}
    return {"type": kind, "source": source}
