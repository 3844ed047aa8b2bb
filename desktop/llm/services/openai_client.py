"""The official OpenAI SDK: its client, its errors and its list of models, for both APIs.

Imports `openai` in functions alone. A compatible server (Ollama, LM Studio, llama.cpp, vLLM) is the
same client with another address.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.llm.services.faults import Fault, http_fault, lost_connection, short
from desktop.llm.services.listing import ids
from desktop.llm.services.untyped import as_event

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from openai import AsyncOpenAI

    from desktop.llm.services.untyped import Object


@dataclass(frozen=True, slots=True)
class OpenAIClient:
    """What both APIs have alike; `base_url` is empty for OpenAI itself."""

    name: str
    label: str
    base_url: str = ""
    package: str = field(default="openai", init=False)

    def connect(self, key: str) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        from desktop.llm.services import bounds

        client = AsyncOpenAI(
            api_key=key,
            base_url=self.base_url or None,
            max_retries=0,
            timeout=bounds.timeout(),
            default_headers=bounds.HEADERS,
            http_client=DefaultAsyncHttpxClient(**bounds.client_options()),
        )
        _ = client.models  # imported on first use
        return client

    async def post(self, client: AsyncOpenAI, path: str, body: Object) -> AsyncGenerator[Object]:
        """The events of a stream as the JSON that came.

        Not through the typed methods: their models are built at the first event, on the loop, for
        half a second, and nothing of them is wanted.
        """
        from openai import AsyncStream

        stream = await client.post(
            path, body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object]
        )
        async with stream:
            async for event in stream:
                yield as_event(event)

    def fault(self, error: Exception) -> Fault | None:
        import openai

        match error:
            case openai.APIStatusError():
                return http_fault(self.label, error.status_code, error.body, error.response.headers)
            case openai.APIConnectionError():
                cause = error.__cause__
                return lost_connection(self.label, cause if isinstance(cause, Exception) else error)
            case openai.APIError():
                return http_fault(self.label, 0, error.body or error.message)
            case openai.OpenAIError():
                return Fault("provider", f"{self.label} cannot be used: {short(str(error))}")
            case _:
                return None

    async def models(self, client: AsyncOpenAI) -> list[str]:
        return await ids(client.models.list())

    async def close(self, client: AsyncOpenAI) -> None:
        await client.close()
