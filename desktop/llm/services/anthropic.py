"""Anthropic Messages: the request, the official SDK's raw stream and its errors.

Source: anthropic 2.11 `MessageCreateParams`. Imports `anthropic` in functions alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from desktop.llm.formats import ApiFormat
from desktop.llm.json_values import plain_text
from desktop.llm.services.anthropic_messages import messages
from desktop.llm.services.anthropic_reader import AnthropicReader
from desktop.llm.services.faults import Fault, http_fault, lost_connection, short
from desktop.llm.services.listing import ids
from desktop.llm.services.untyped import as_event

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from anthropic import AsyncAnthropic

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats import WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

DEFAULT_TOKENS: Final = 16_384
"""The API wants a number; every model on offer today can say as much."""


@dataclass(frozen=True, slots=True)
class AnthropicMessages:
    """`base_url` is empty for Anthropic itself."""

    name: str
    label: str
    base_url: str = ""

    package: str = field(default="anthropic", init=False)
    api_format: ApiFormat = field(default=ApiFormat.ANTHROPIC, init=False)

    def connect(self, key: str) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

        from desktop.llm.services import bounds

        client = AsyncAnthropic(
            api_key=key,
            base_url=self.base_url or None,
            max_retries=0,
            timeout=bounds.timeout(),
            default_headers=bounds.HEADERS,
            http_client=DefaultAsyncHttpxClient(**bounds.client_options()),
        )
        _ = client.models  # imported on first use
        return client

    def body(self, request: CompletionRequest, tools: WireTools | None, replay: str) -> Object:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens or DEFAULT_TOKENS,
            "messages": messages(request, replay),
            "stream": True,
        }
        if not self.base_url:
            # Each step of an agent sends all of the conversation again: a tenth of the price.
            body["cache_control"] = {"type": "ephemeral"}
        if request.system.strip():
            body["system"] = plain_text(request.system)
        if tools and tools.tools:
            body["tools"] = tools.tools
            if not request.parallel:
                body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        return body

    async def events(self, client: AsyncAnthropic, body: Object) -> AsyncGenerator[Object]:
        # As JSON, not typed: building the types takes long, and would be on the loop.
        from anthropic import AsyncStream

        stream = await client.post(
            "/v1/messages", body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object]
        )
        async with stream:
            async for event in stream:
                yield as_event(event)

    def reader(self, draft: Draft) -> AnthropicReader:
        return AnthropicReader(draft)

    def fault(self, error: Exception) -> Fault | None:
        import anthropic
        import httpx2

        match error:
            case anthropic.APIStatusError():
                return http_fault(self.label, error.status_code, error.body, error.response.headers)
            case anthropic.APIConnectionError():
                cause = error.__cause__
                return lost_connection(self.label, cause if isinstance(cause, Exception) else error)
            case httpx2.HTTPError():
                return lost_connection(self.label, error)
            case anthropic.AnthropicError():
                return Fault("provider", f"{self.label} cannot be used: {short(str(error))}")
            case _:
                return None

    async def models(self, client: AsyncAnthropic) -> list[str]:
        return await ids(client.models.list())

    async def close(self, client: AsyncAnthropic) -> None:
        await client.close()
