"""OpenAI Responses: the request and the SDK's stream. Nothing is stored at the provider.

Source: openai 3.52 `ResponseCreateParams`. Reasoning goes back and forth sealed, where the model
has some: models without refuse to be asked for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from desktop.llm.formats import ApiFormat
from desktop.llm.json_values import plain_text
from desktop.llm.services.openai_client import OpenAIClient
from desktop.llm.services.openai_responses_items import items
from desktop.llm.services.openai_responses_reader import ResponsesReader

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from openai import AsyncOpenAI

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats import WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

_REASONS: Final = re.compile(r"(o\d|gpt-([5-9]|\d\d)|codex)")
_SEALED: Final = ["reasoning.encrypted_content"]


@dataclass(frozen=True, slots=True)
class OpenAIResponses(OpenAIClient):
    """See `OpenAIClient`."""

    api_format: ApiFormat = field(default=ApiFormat.OPENAI_RESPONSES, init=False)

    def body(self, request: CompletionRequest, tools: WireTools | None, replay: str) -> Object:
        body: dict[str, Any] = {
            "model": request.model,
            "input": items(request, replay),
            "stream": True,
            "store": False,
        }
        if request.system.strip():
            body["instructions"] = plain_text(request.system)
        if _REASONS.match(request.model):
            body["include"] = _SEALED
        if request.max_tokens is not None:
            body["max_output_tokens"] = request.max_tokens
        if tools and tools.tools:
            body["tools"] = tools.tools
            if not request.parallel:
                body["parallel_tool_calls"] = False
        return body

    def events(self, client: AsyncOpenAI, body: Object) -> AsyncGenerator[Object]:
        return self.post(client, "/responses", body)

    def reader(self, draft: Draft) -> ResponsesReader:
        return ResponsesReader(draft, self.label)
