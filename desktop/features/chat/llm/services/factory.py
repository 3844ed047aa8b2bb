"""Makes the service of a configured provider. Asks for the key at each request, not before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from desktop.base.translatable import translatable
from desktop.config.keyring_access import KeyringError
from desktop.config.providers import LOCAL
from desktop.config.trust import UntrustedError
from desktop.features.chat.llm.completion import CompletionError
from desktop.features.chat.llm.keys import variables
from desktop.features.chat.llm.services.anthropic import AnthropicMessages
from desktop.features.chat.llm.services.gemini import GeminiContents
from desktop.features.chat.llm.services.limits import LOCAL_LIMITS, RequestLimits
from desktop.features.chat.llm.services.openai_chat import OpenAIChat
from desktop.features.chat.llm.services.openai_responses import OpenAIResponses
from desktop.features.chat.llm.services.service import ProviderService

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.config.providers import Preset, ProviderSettings
    from desktop.features.chat.llm.keys import Keys
    from desktop.features.chat.llm.services.limits import RetryPolicy
    from desktop.features.chat.llm.services.service import ProviderApi
    from desktop.features.models.model_facts import LearnedFacts

_ENDS: Final = {
    "anthropic": ("/v1/messages", "/messages", "/v1"),
    "openai": ("/chat/completions", "/responses", "/completions", "/models"),
    "gemini": ("/models",),
}
"""What people copy along with an address; our requests add it by themselves."""
_LOCAL_SECONDS: Final = 2.0
"""For a server of this computer to say that it is there."""
_NO_KEY: Final = "none"
"""Sent where a key is not needed and none is stored."""


def make_service(
    settings: ProviderSettings,
    keys: Keys,
    *,
    limits: RequestLimits | None = None,
    retries: RetryPolicy | None = None,
    learned: LearnedFacts | None = None,
) -> ProviderService:
    """The `CompletionService` of a provider; close it when it is no longer used.

    Args: limits, retries, learned: as in `ProviderService`.
    """
    api = _make_api(settings)

    async def find_key() -> str:
        try:
            found = await keys.find(settings)
        except UntrustedError as error:
            raise CompletionError("untrusted", error.args[0], remedy=error.remedy) from None
        except KeyringError as error:
            if settings.needs_key:
                raise CompletionError("key", error.args[0], remedy=error.remedy) from None
            found = None
        if found is None and settings.needs_key:
            raise CompletionError(
                "key",
                translatable("There is no key for {label}.", label=api.label),
                remedy=translatable(
                    "Store one in the settings, or set {variable}.", variable=variables(settings)[0]
                ),
            )
        return found.value if found else _NO_KEY

    default = LOCAL_LIMITS if settings.may_be_local else RequestLimits()
    return ProviderService(
        api, find_key, limits or default, retries, settings=settings, learned=learned
    )


async def find_local(presets: Iterable[Preset] = LOCAL) -> list[tuple[Preset, list[str]]]:
    """The servers of this computer that answer now as a model's would, with their models.

    Asks no other address, and sends no key. What listens there may be another product.
    """

    async def ask(preset: Preset) -> list[str]:
        api = OpenAIChat(preset.name, preset.label, preset.base_url)
        service = ProviderService(api, _no_key, RequestLimits(listing=_LOCAL_SECONDS))
        try:
            return await service.list_models()
        except CompletionError:
            return []
        finally:
            await service.close()

    asked = list(presets)
    answers = await asyncio.gather(*map(ask, asked))
    return [(preset, models) for preset, models in zip(asked, answers, strict=True) if models]


async def _no_key() -> str:
    return _NO_KEY


def _make_api(settings: ProviderSettings) -> ProviderApi:
    name, label, address = settings.name, settings.label, settings.base_url.rstrip("/")
    for end in _ENDS[settings.kind]:
        address = address.removesuffix(end).rstrip("/")
    match settings.kind:
        case "anthropic":
            return AnthropicMessages(name, label, address)
        case "gemini":
            return GeminiContents(name, label, address)
        case "openai" if settings.speaks_responses:
            return OpenAIResponses(name, label, address)
        case "openai":
            return OpenAIChat(name, label, address)
