"""A conversation as messages of Anthropic. Pure; knows no SDK.

Source: anthropic 2.11 `MessageParam`: a result right after its call, no empty text, an object as
`input`, ids of letters, digits, `_` and `-`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.llm.formats import anthropic
from desktop.llm.json_values import plain_text
from desktop.llm.services.history import arguments_object, safe_id, with_safe_ids
from desktop.llm.services.telling import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats.content_parts import ContentPart
    from desktop.llm.messages import AssistantMessage, ToolAnswer, ToolRequest
    from desktop.llm.services.untyped import Object


def messages(request: CompletionRequest, source: str) -> list[Object]:
    """All messages, those of `source` as they came; the system text is a field of its own."""
    return tell(request, source, person=_person, model=_model, tools=_tools)


def _person(found: list[ContentPart]) -> list[Object]:
    return [{"role": "user", "content": [anthropic.make_block(piece) for piece in found]}]


def _model(message: AssistantMessage, raw: list[Object]) -> list[Object]:
    return [{"role": "assistant", "content": raw or _blocks(message)}]


def _blocks(message: AssistantMessage) -> list[Object]:
    # The API refuses white space at the end of what may be the last message.
    text = plain_text(message.text).rstrip()
    told: list[Object] = [{"type": "text", "text": text}] if text else []
    return [*told, *map(_call, message.requests)]


def _call(request: ToolRequest) -> Object:
    return {
        "type": "tool_use",
        "id": safe_id(request.call_id),
        "name": request.wire_name,
        "input": arguments_object(request),
    }


def _tools(answers: Sequence[ToolAnswer]) -> list[Object]:
    return anthropic.format_results(with_safe_ids(answers))
