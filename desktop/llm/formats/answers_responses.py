"""Answers for OpenAI Responses: a `function_call_output` item for each call.

Source: openai 3.52 `FunctionCallOutput`, `ResponseInputImageContentParam`,
`ResponseInputFileContentParam`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.llm.formats.answers_chat import ERROR
from desktop.llm.formats.media import IMAGES
from desktop.llm.formats.pieces import Piece, only_text, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.messages import ToolAnswer


def items(answers: Sequence[ToolAnswer]) -> list[dict[str, Any]]:
    """One item a call: its output is a text, or parts where it has media."""
    return [_item(answer) for answer in answers]


def _item(answer: ToolAnswer) -> dict[str, Any]:
    found = pieces(answer.result)
    prefix = ERROR if answer.result.is_error else ""
    if all(piece.is_text for piece in found):
        output: Any = prefix + only_text(found)
    else:
        output = [part(piece) for piece in ([Piece(prefix.strip())] if prefix else []) + found]
    return {"type": "function_call_output", "call_id": answer.call_id, "output": output}


def part(piece: Piece) -> dict[str, Any]:
    """A piece as part of an input message or of an output."""
    if piece.is_text:
        return {"type": "input_text", "text": piece.text}
    if piece.mime in IMAGES:
        return {"type": "input_image", "image_url": piece.data_url, "detail": "auto"}
    name = piece.name.rpartition("/")[2] or "document"
    return {"type": "input_file", "filename": name, "file_data": piece.data_url}
