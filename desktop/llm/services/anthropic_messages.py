"""A conversation as messages of Anthropic. Pure; knows no SDK.

Source: anthropic 2.11 `MessageParam`: a result right after its call, no empty text, an object as
`input`, ids of letters, digits, `_` and `-`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.llm.formats import answers_anthropic
from desktop.llm.formats.json_copy import plain_text
from desktop.llm.messages import AssistantMessage, ToolMessage
from desktop.llm.services.history import arguments_object, safe_id, settled
from desktop.llm.services.replaying import replayed
from desktop.llm.services.said import said

if TYPE_CHECKING:
    from desktop.llm.completion import CompletionRequest
    from desktop.llm.messages import Message, ToolRequest
    from desktop.llm.services.untyped import Object


def messages(request: CompletionRequest, replay: str) -> list[Object]:
    """All messages, those of `replay` as they came; the system text is a field of its own."""
    told: list[Object] = []
    for message in settled(request.messages):
        told += _messages(message, request.model, replay)
    return told


def _messages(message: Message, model: str, replay: str) -> list[Object]:
    match message:
        case ToolMessage():
            answers = [replace(one, call_id=safe_id(one.call_id)) for one in message.answers]
            return answers_anthropic.messages(answers)
        case AssistantMessage():
            blocks = replayed(message, model, replay) or _blocks(message)
            return [{"role": "assistant", "content": blocks}]
        case _:
            parts = [answers_anthropic.part(piece) for piece in said(message)]
            return [{"role": "user", "content": parts}]


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
