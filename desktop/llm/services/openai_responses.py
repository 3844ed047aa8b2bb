"""OpenAI Responses: the request and the SDK's stream. Nothing is stored at the provider.

Source: openai 3.52 `ResponseCreateParams`. Reasoning goes back and forth sealed, where the model
has some: models without refuse to be asked for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from desktop.llm.formats import ApiFormat
from desktop.llm.formats.json_copy import plain_text
from desktop.llm.services import openai_client
from desktop.llm.services.openai_responses_items import items
from desktop.llm.services.openai_responses_reader import ResponsesReader

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from openai import AsyncOpenAI, AsyncStream
    from openai.types.responses import ResponseStreamEvent

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats import WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.faults import Fault
    from desktop.llm.services.untyped import Object

_REASONS: Final = re.compile(r"(o\d|gpt-([5-9]|\d\d)|codex)")
_SEALED: Final = ["reasoning.encrypted_content"]


@dataclass(frozen=True, slots=True)
class OpenAIResponses:
    """`base_url` is empty for OpenAI itself."""

    name: str
    label: str
    base_url: str = ""

    package: str = field(default="openai", init=False)
    api_format: ApiFormat = field(default=ApiFormat.OPENAI_RESPONSES, init=False)

    def connect(self, key: str) -> AsyncOpenAI:
        return openai_client.connect(key, self.base_url)

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

    async def events(self, client: AsyncOpenAI, body: Object) -> AsyncGenerator[Object]:
        create: Any = client.responses.create
        stream: AsyncStream[ResponseStreamEvent] = await create(**body)
        async with stream:
            async for event in stream:
                yield event.to_dict(mode="json", warnings=False)

    def reader(self, draft: Draft) -> ResponsesReader:
        return ResponsesReader(draft, self.label)

    def fault(self, error: Exception) -> Fault | None:
        return openai_client.fault(error, self.label)

    async def models(self, client: AsyncOpenAI) -> list[str]:
        return await openai_client.models(client)

    async def close(self, client: AsyncOpenAI) -> None:
        await client.close()
