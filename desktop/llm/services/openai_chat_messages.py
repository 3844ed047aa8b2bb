"""A conversation as messages of Chat Completions. Pure; knows no SDK.

Source: openai 3.52 `ChatCompletionMessageParam`. `reasoning_content` is not OpenAI's: DeepSeek,
Kimi and others want it back beside the calls it led to.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop.llm.formats import answers_chat
from desktop.llm.formats.json_copy import plain_text
from desktop.llm.messages import AssistantMessage, ToolMessage
from desktop.llm.services.history import arguments_object, settled
from desktop.llm.services.replaying import replayed
from desktop.llm.services.said import said

if TYPE_CHECKING:
    from desktop.llm.completion import CompletionRequest
    from desktop.llm.messages import Message, ToolRequest
    from desktop.llm.services.untyped import Object


def messages(request: CompletionRequest, replay: str) -> list[Object]:
    """The system text and all messages, those of `replay` as they came."""
    told: list[Object] = []
    if request.system.strip():
        told.append({"role": "system", "content": plain_text(request.system)})
    for message in settled(request.messages):
        told += _messages(message, request.model, replay)
    return told


def _messages(message: Message, model: str, replay: str) -> list[Object]:
    match message:
        case ToolMessage():
            return answers_chat.messages(message.answers)
        case AssistantMessage():
            return replayed(message, model, replay) or [_assistant(message)]
        case _:
            found = said(message)
            if all(piece.is_text for piece in found):
                return [{"role": "user", "content": "\n".join(piece.text for piece in found)}]
            return [{"role": "user", "content": [answers_chat.part(piece) for piece in found]}]


def _assistant(message: AssistantMessage) -> Object:
    told: Object = {"role": "assistant", "content": plain_text(message.text) or None}
    if message.requests:
        told["tool_calls"] = [tool_call(request) for request in message.requests]
    return told


def tool_call(request: ToolRequest) -> Object:
    """A call as it is told again: its arguments are always an object, as some servers read it."""
    arguments: Any = json.dumps(arguments_object(request), ensure_ascii=False)
    function = {"name": request.wire_name, "arguments": arguments}
    return {"id": request.call_id, "type": "function", "function": function}
