"""OpenAI Chat Completions, also of every compatible server: the request and the SDK's stream.

Source: openai 3.52 `CompletionCreateParams`. Not the `.stream()` helper: it refuses tools that are
not strict.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.llm.formats import ApiFormat
from desktop.llm.services import openai_client
from desktop.llm.services.openai_chat_messages import messages
from desktop.llm.services.openai_chat_reader import ChatReader

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats import WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.faults import Fault
    from desktop.llm.services.untyped import Object


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """`base_url` is empty for OpenAI itself."""

    name: str
    label: str
    base_url: str = ""

    package: str = field(default="openai", init=False)
    api_format: ApiFormat = field(default=ApiFormat.OPENAI, init=False)

    def connect(self, key: str) -> AsyncOpenAI:
        return openai_client.connect(key, self.base_url)

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

    async def events(self, client: AsyncOpenAI, body: Object) -> AsyncGenerator[Object]:
        create: Any = client.chat.completions.create
        stream: AsyncStream[ChatCompletionChunk] = await create(**body)
        async with stream:
            async for event in stream:
                yield event.to_dict(mode="json", warnings=False)

    def reader(self, draft: Draft) -> ChatReader:
        return ChatReader(draft)

    def fault(self, error: Exception) -> Fault | None:
        return openai_client.fault(error, self.label)

    async def models(self, client: AsyncOpenAI) -> list[str]:
        return await openai_client.models(client)

    async def close(self, client: AsyncOpenAI) -> None:
        await client.close()
