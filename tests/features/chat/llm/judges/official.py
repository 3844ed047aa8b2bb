"""Each provider's service as it is without an address of its own, but asking the loopback server.

With an address a service does less: it takes the server for a compatible one.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.config.providers import checked
from desktop.features.chat.llm.services.anthropic import AnthropicMessages
from desktop.features.chat.llm.services.gemini import GeminiContents
from desktop.features.chat.llm.services.openai_chat import OpenAIChat
from desktop.features.chat.llm.services.openai_responses import OpenAIResponses
from desktop.features.chat.llm.services.service import ProviderService
from desktop.features.models.formats import ApiFormat
from tests.features.chat.llm.judges.judge import KEY
from tests.features.chat.llm.services.asking import KINDS, retries

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.features.chat.llm.services.service import ProviderApi
    from tests.features.models.loopback.server import Loopback

_APIS: Final = {
    ApiFormat.OPENAI: OpenAIChat,
    ApiFormat.OPENAI_RESPONSES: OpenAIResponses,
    ApiFormat.ANTHROPIC: AnthropicMessages,
    ApiFormat.GEMINI: GeminiContents,
}
MODELS: Final = {
    ApiFormat.OPENAI: "gpt-5.6",
    ApiFormat.OPENAI_RESPONSES: "gpt-5.6",
    ApiFormat.ANTHROPIC: "claude-opus-5-5",
    ApiFormat.GEMINI: "gemini-3-pro",
}
"""Today's models, which think."""


def _at(api_format: ApiFormat, url: str) -> ProviderApi:
    """The API at another address, without one of its own."""
    here = type("Here", (_APIS[api_format],), {"address": property(lambda _: url)})
    return cast("ProviderApi", here(api_format.value, api_format.value))


async def _key() -> str:
    return KEY


@asynccontextmanager
async def official(
    api_format: ApiFormat, loopback: Loopback, **more: Any
) -> AsyncGenerator[ProviderService]:
    """Args: more: settings of the provider."""
    settings = checked({"name": api_format.value, **KINDS[api_format], **more})
    api = _at(api_format, loopback.base_url(api_format))
    made = ProviderService(api, _key, retries=retries(attempts=1), settings=settings)
    try:
        yield made
    finally:
        await made.close()
