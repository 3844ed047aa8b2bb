"""A conversation as input items of Responses. Pure; knows no SDK.

Source: openai 3.52 `ResponseInputItemParam`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop.llm.formats import openai
from desktop.llm.json_values import plain_text
from desktop.llm.services.history import arguments_object, safe_id, with_safe_ids
from desktop.llm.services.telling import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats.content_parts import ContentPart
    from desktop.llm.messages import AssistantMessage, ToolAnswer, ToolRequest
    from desktop.llm.services.untyped import Object


def items(request: CompletionRequest, source: str) -> list[Object]:
    """All messages, those of `source` as they came; the system text is a field of its own."""
    return tell(request, source, person=_person, model=_model, tools=_tools)


def _person(found: list[ContentPart]) -> list[Object]:
    parts = [openai.make_responses_part(piece) for piece in found]
    return [{"type": "message", "role": "user", "content": parts}]


def _model(message: AssistantMessage, raw: list[Object]) -> list[Object]:
    if raw:
        return raw
    text = plain_text(message.text)
    said: Object = {"type": "message", "role": "assistant", "content": text}
    return [*([said] if text.strip() else []), *map(_call, message.requests)]


def _call(request: ToolRequest) -> Object:
    return {
        "type": "function_call",
        "call_id": safe_id(request.call_id),
        "name": request.wire_name,
        "arguments": json.dumps(arguments_object(request), ensure_ascii=False),
    }


def _tools(answers: Sequence[ToolAnswer]) -> list[Object]:
    return openai.format_responses_results(with_safe_ids(answers))
