"""A conversation as messages of Chat Completions. Pure; knows no SDK.

Source: openai 3.52 `ChatCompletionMessageParam`. `reasoning_content` is not OpenAI's: DeepSeek,
Kimi and others want it back beside the calls it led to.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop.llm.formats import openai
from desktop.llm.json_values import plain_text
from desktop.llm.services.history import arguments_object
from desktop.llm.services.telling import tell

if TYPE_CHECKING:
    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats.content_parts import ContentPart
    from desktop.llm.messages import AssistantMessage, ToolRequest
    from desktop.llm.services.untyped import Object


def messages(request: CompletionRequest, source: str) -> list[Object]:
    """The system text and all messages, those of `source` as they came."""
    system = plain_text(request.system)
    told = tell(request, source, person=_person, model=_model, tools=openai.format_chat_results)
    return [{"role": "system", "content": system}, *told] if system.strip() else told


def _person(found: list[ContentPart]) -> list[Object]:
    content: Any = [openai.make_chat_part(piece) for piece in found]
    if all(piece.is_text for piece in found):
        # Some compatible servers read no parts.
        content = "\n".join(piece.text for piece in found)
    return [{"role": "user", "content": content}]


def _model(message: AssistantMessage, raw: list[Object]) -> list[Object]:
    if raw:
        return raw
    told: Object = {"role": "assistant", "content": plain_text(message.text) or None}
    if message.requests:
        told["tool_calls"] = [tool_call(request) for request in message.requests]
    return [told]


def tool_call(request: ToolRequest) -> Object:
    """A call as it is told again: its arguments are always an object, as some servers read it."""
    arguments: Any = json.dumps(arguments_object(request), ensure_ascii=False)
    function = {"name": request.wire_name, "arguments": arguments}
    return {"id": request.call_id, "type": "function", "function": function}
