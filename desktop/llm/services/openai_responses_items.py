"""A conversation as input items of Responses. Pure; knows no SDK.

Source: openai 3.52 `ResponseInputItemParam`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.llm.formats import answers_responses
from desktop.llm.formats.json_copy import plain_text
from desktop.llm.messages import AssistantMessage, ToolMessage
from desktop.llm.services.history import arguments_object, safe_id, settled
from desktop.llm.services.replaying import replayed
from desktop.llm.services.said import said

if TYPE_CHECKING:
    from desktop.llm.completion import CompletionRequest
    from desktop.llm.messages import Message, ToolRequest
    from desktop.llm.services.untyped import Object


def items(request: CompletionRequest, replay: str) -> list[Object]:
    """All messages, those of `replay` as they came."""
    told: list[Object] = []
    for message in settled(request.messages):
        told += _items(message, request.model, replay)
    return told


def _items(message: Message, model: str, replay: str) -> list[Object]:
    match message:
        case ToolMessage():
            answers = [replace(one, call_id=safe_id(one.call_id)) for one in message.answers]
            return answers_responses.items(answers)
        case AssistantMessage():
            return replayed(message, model, replay) or _assistant(message)
        case _:
            parts = [answers_responses.part(piece) for piece in said(message)]
            return [{"type": "message", "role": "user", "content": parts}]


def _assistant(message: AssistantMessage) -> list[Object]:
    text = plain_text(message.text)
    told: list[Object] = []
    if text.strip():
        told.append({"type": "message", "role": "assistant", "content": text})
    return [*told, *map(_call, message.requests)]


def _call(request: ToolRequest) -> Object:
    return {
        "type": "function_call",
        "call_id": safe_id(request.call_id),
        "name": request.wire_name,
        "arguments": json.dumps(arguments_object(request), ensure_ascii=False),
    }
