"""Answers for Gemini generateContent: one user content with a `functionResponse` for each call.

Sources: google-genai 3.4 `FunctionResponse`, `FunctionResponseBlob`; pydantic-ai#4210 for why the
media of older models are in a content of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.llm.formats.media import PDF
from desktop.llm.formats.pieces import Piece, only_text, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.messages import ToolAnswer

TAKEN: Final = ("image/png", "image/jpeg", "image/webp", PDF)
"""Gemini reads no GIF."""


def contents(answers: Sequence[ToolAnswer], *, media_inside: bool) -> list[dict[str, Any]]:
    """One content with all responses; the media inside them or in a second one."""
    parts: list[dict[str, Any]] = []
    after: list[dict[str, Any]] = []
    for answer in answers:
        found = pieces(answer.result)
        media = [_blob(piece) for piece in found if piece.mime in TAKEN]
        response = _response(answer, only_text(found))
        if media and media_inside:
            response["parts"] = media
        elif media:
            after += [{"text": f"Media that {answer.wire_name} returned:"}, *media]
        parts.append({"functionResponse": response})
    told = [{"role": "user", "parts": parts}] if parts else []
    return [*told, {"role": "user", "parts": after}] if after else told


def _response(answer: ToolAnswer, text: str) -> dict[str, Any]:
    key = "error" if answer.result.is_error else "output"
    response = {"name": answer.wire_name, "response": {key: text}}
    # Only an id that came is sent back: the Gemini API often gives none.
    return {"id": answer.call_id, **response} if answer.call_id else response


def part(piece: Piece) -> dict[str, Any]:
    """A piece as part of a content; what Gemini does not read is its note."""
    return _blob(piece) if piece.mime in TAKEN else {"text": piece.text}


def _blob(piece: Piece) -> dict[str, Any]:
    return {"inlineData": {"mimeType": piece.mime, "data": piece.base64}}
