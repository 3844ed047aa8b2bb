"""OpenAI Chat Completions, also of every compatible server: the request and the SDK's stream.

Source: openai 3.52 `CompletionCreateParams`. Not the `.stream()` helper: it refuses tools that are
not strict.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.llm.formats import ApiFormat
from desktop.llm.services.openai_chat_messages import messages
from desktop.llm.services.openai_chat_reader import ChatReader
from desktop.llm.services.openai_client import OpenAIClient

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from openai import AsyncOpenAI

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats import WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object


@dataclass(frozen=True, slots=True)
class OpenAIChat(OpenAIClient):
    """See `OpenAIClient`."""

    api_format: ApiFormat = field(default=ApiFormat.OPENAI, init=False)

    def body(self, request: CompletionRequest, tools: WireTools | None, replay: str) -> Object:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": messages(request, replay),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.max_tokens is not None:
            # Compatible servers know the old name; OpenAI's newer models refuse it.
            name = "max_tokens" if self.base_url else "max_completion_tokens"
            body[name] = request.max_tokens
        if tools and tools.tools:
            body["tools"] = tools.tools
            if not request.parallel:
                body["parallel_tool_calls"] = False
        return body

    def events(self, client: AsyncOpenAI, body: Object) -> AsyncGenerator[Object]:
        return self.post(client, "/chat/completions", body)

    def reader(self, draft: Draft) -> ChatReader:
        return ChatReader(draft)
