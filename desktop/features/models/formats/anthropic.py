"""Tools and tool results for Anthropic Messages.

Must not choose the names of tools. Sources: anthropic 2.11 `ToolParam`, `ToolResultBlockParam`; the
server's messages "tools.N.custom.input_schema", "all content must be type 'text' if 'is_error' is
true" and "content field ... is empty".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.features.models.formats.content_parts import (
    IMAGES,
    ContentPart,
    convert_answer,
    join_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.features.models.messages import ToolAnswer


def make_tool(name: str, description: str, schema: JsonSchema) -> dict[str, Any]:
    """One entry of `tools` of Messages."""
    return {"name": name, "description": description, "input_schema": schema}


def format_results(answers: Sequence[ToolAnswer]) -> list[dict[str, Any]]:
    """One user message: the results have to come first in the message after the calls."""
    return (
        [{"role": "user", "content": [_make_result_block(answer) for answer in answers]}]
        if answers
        else []
    )


def _make_result_block(answer: ToolAnswer) -> dict[str, Any]:
    found = convert_answer(answer)
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": answer.call_id}
    if answer.result.is_error:
        text = {"type": "text", "text": join_text(found)}
        return {**block, "content": [text], "is_error": True}
    return {**block, "content": [make_block(part) for part in found]}


def make_block(part: ContentPart) -> dict[str, Any]:
    """A part as a content block of a message or of a result."""
    if part.is_text:
        return {"type": "text", "text": part.text}
    kind = "image" if part.mime in IMAGES else "document"
    source = {"type": "base64", "media_type": part.mime, "data": part.base64}
    return {"type": kind, "source": source}
