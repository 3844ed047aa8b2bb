"""Answers for OpenAI Chat Completions: a `tool` message for each call, text only.

Pictures follow in one user message after all of them. Source: openai 3.52
`ChatCompletionToolMessageParam`, `ChatCompletionContentPartImageParam`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.llm.formats.media import IMAGES
from desktop.llm.formats.pieces import Piece, only_text, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.messages import ToolAnswer

ERROR: Final = "Error: "
"""Chat Completions and Responses have no flag for an error, so the text says it."""


def messages(answers: Sequence[ToolAnswer]) -> list[dict[str, Any]]:
    """One `tool` message a call, then the pictures of all of them."""
    told: list[dict[str, Any]] = []
    pictures: list[dict[str, Any]] = []
    for answer in answers:
        found = pieces(answer.result)
        text = (ERROR if answer.result.is_error else "") + only_text(found)
        told.append({"role": "tool", "tool_call_id": answer.call_id, "content": text})
        if images := [piece for piece in found if piece.mime in IMAGES]:
            pictures.append({"type": "text", "text": f"Images that {answer.wire_name} returned:"})
            pictures += map(part, images)
    return [*told, {"role": "user", "content": pictures}] if pictures else told


def part(piece: Piece) -> dict[str, Any]:
    """A piece as part of a user message; what is no picture is its note."""
    if piece.mime not in IMAGES:
        return {"type": "text", "text": piece.text}
    return {"type": "image_url", "image_url": {"url": piece.data_url}}
