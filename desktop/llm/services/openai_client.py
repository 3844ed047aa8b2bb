"""The official OpenAI SDK: its client, its errors and its list of models, for both APIs.

Imports `openai` in functions alone. A compatible server (Ollama, LM Studio, llama.cpp, vLLM) is the
same client with another address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.llm.services.faults import Fault, http_fault, lost_connection, short

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MOST_MODELS: Final = 2000


def connect(key: str, base_url: str) -> AsyncOpenAI:
    """A client; blocks for the import. Raises `ImportError` where the SDK is not installed."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    from desktop.llm.services import bounds

    client = AsyncOpenAI(
        api_key=key,
        base_url=base_url or None,
        max_retries=0,
        timeout=bounds.timeout(),
        default_headers=bounds.HEADERS,
        http_client=DefaultAsyncHttpxClient(**bounds.client_options()),
    )
    _ = client.chat.completions, client.responses, client.models  # imported on first use
    return client


def fault(error: Exception, label: str) -> Fault | None:
    """What an error of the SDK means; None for any other."""
    import openai

    match error:
        case openai.APIStatusError():
            return http_fault(label, error.status_code, error.body, error.response.headers)
        case openai.APIConnectionError():
            cause = error.__cause__
            return lost_connection(label, cause if isinstance(cause, Exception) else error)
        case openai.APIError():
            return http_fault(label, 0, error.body or error.message)
        case openai.OpenAIError():
            return Fault("provider", f"{label} cannot be used: {short(str(error))}")
        case _:
            return None


async def models(client: AsyncOpenAI) -> list[str]:
    found: list[str] = []
    async for model in client.models.list():
        found.append(model.id)
        if len(found) >= MOST_MODELS:
            break
    return found
