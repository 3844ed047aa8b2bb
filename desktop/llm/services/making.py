"""Makes the service of a configured provider. Imports no SDK: that happens at the first request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.llm.completion import CompletionError
from desktop.llm.keys import KeyringError, variables
from desktop.llm.services.anthropic import AnthropicMessages
from desktop.llm.services.gemini import GeminiContents
from desktop.llm.services.limits import OWN_SERVER, Limits
from desktop.llm.services.openai_chat import OpenAIChat
from desktop.llm.services.openai_responses import OpenAIResponses
from desktop.llm.services.service import Service

if TYPE_CHECKING:
    from desktop.config.providers import ProviderSettings
    from desktop.llm.keys import Keys
    from desktop.llm.services.api import Api
    from desktop.llm.services.retries import Retries

_LABELS: Final = {"openai": "OpenAI", "anthropic": "Anthropic", "gemini": "Gemini"}
_NO_KEY: Final = "none"
"""Servers of one's own often want no key; the SDKs want one to send."""


def make_service(
    settings: ProviderSettings,
    keys: Keys,
    *,
    limits: Limits | None = None,
    retries: Retries | None = None,
) -> Service:
    """The `CompletionService` of a provider; close it when it is not used any more."""
    api = _api(settings)

    async def find_key() -> str:
        try:
            found = await keys.find(settings)
        except KeyringError as error:
            if not settings.is_own_server:
                raise CompletionError("key", error.args[0], remedy=error.remedy) from None
            found = None
        if found is None and not settings.is_own_server:
            raise CompletionError(
                "key",
                f"There is no key for {api.label}.",
                remedy=f"Store one in the settings, or set {variables(settings)[0]}.",
            )
        return found.value if found else _NO_KEY

    usual = OWN_SERVER if settings.is_own_server else Limits()
    return Service(api, find_key, limits or usual, retries)


def _api(settings: ProviderSettings) -> Api:
    label = settings.name if settings.is_own_server else _LABELS[settings.kind]
    match settings.kind:
        case "anthropic":
            return AnthropicMessages(settings.name, label, settings.base_url)
        case "gemini":
            return GeminiContents(settings.name, label, settings.base_url)
        case "openai" if settings.speaks_responses:
            return OpenAIResponses(settings.name, label, settings.base_url)
        case "openai":
            return OpenAIChat(settings.name, label, settings.base_url)
