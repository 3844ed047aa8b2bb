"""Each provider says all that the service asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.llm.services.anthropic import AnthropicMessages
from desktop.llm.services.gemini import GeminiContents
from desktop.llm.services.openai_chat import OpenAIChat
from desktop.llm.services.openai_responses import OpenAIResponses

if TYPE_CHECKING:
    from desktop.llm.services.api import Api


def test_every_provider_is_an_api_of_its_own_format() -> None:
    kinds = (OpenAIChat, OpenAIResponses, AnthropicMessages, GeminiContents)
    apis: list[Api] = [kind("name", "Label") for kind in kinds]
    assert len({each.api_format for each in apis}) == 4
    assert {each.package for each in apis} == {"openai", "anthropic", "gemini"}
