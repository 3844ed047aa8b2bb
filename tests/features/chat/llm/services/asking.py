"""A service of each provider against the loopback server, and what one request gives."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.providers import checked
from desktop.features.chat.llm.completion import (
    Completed,
    CompletionError,
    CompletionRequest,
    Retrying,
    TextDelta,
    ThinkingDelta,
)
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import RequestLimits, RetryPolicy, make_service
from desktop.features.models.formats import ApiFormat, WireTools, make_wire_tools
from desktop.features.models.messages import AssistantMessage, UserMessage
from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from desktop.features.chat.llm.completion import CompletionEvent, CompletionService
    from desktop.features.models.messages import Message
    from tests.features.models.loopback.server import Loopback

KEY = "sk-secret-0123456789"
KINDS = {
    ApiFormat.OPENAI: {"kind": "openai", "api": "chat"},
    ApiFormat.OPENAI_RESPONSES: {"kind": "openai", "api": "responses"},
    ApiFormat.ANTHROPIC: {"kind": "anthropic"},
    ApiFormat.GEMINI: {"kind": "gemini"},
}
ADD = ToolDefinition(
    "calculator",
    "add",
    description="Adds.",
    input_schema={"type": "object", "properties": {"a": {"type": "number"}}},
)
HELLO = (UserMessage("Hello"),)


@dataclass
class Waits:
    """Waits for nothing, and remembers for how long."""

    seconds: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def retries(waits: Waits | None = None, **fields: Any) -> RetryPolicy:
    return RetryPolicy(wait=waits or Waits(), chance=lambda: 0.5, **fields)


@asynccontextmanager
async def service(
    api_format: ApiFormat,
    loopback: Loopback,
    *,
    limits: RequestLimits | None = None,
    tries: RetryPolicy | None = None,
    **more: Any,
) -> AsyncGenerator[CompletionService]:
    """The service of a provider whose server is the loopback, with a key in the environment.

    Args: more: settings of the provider.
    """
    address = loopback.base_url(api_format)
    settings = checked({"name": "mine", "base_url": address, **KINDS[api_format], **more})
    keys = Keys({"MINE_API_KEY": KEY})
    made = make_service(settings, keys, limits=limits, retries=tries or retries())
    try:
        yield made
    finally:
        await made.close()


async def load(api_format: ApiFormat) -> WireTools:
    """One tool, as a session gives it."""
    return make_wire_tools([ADD], api_format, direct=("calculator",))


def request(messages: Sequence[Message] = HELLO, model: str = "model-x", **fields: Any) -> Any:
    return CompletionRequest(model, messages, **fields)


async def events(asked: CompletionService, what: CompletionRequest) -> list[CompletionEvent]:
    async with aclosing(asked.stream(what)) as stream:
        return [event async for event in stream]


async def turn_of(asked: CompletionService, what: CompletionRequest) -> AssistantMessage:
    last = (await events(asked, what))[-1]
    assert isinstance(last, Completed)
    return last.message


def told(found: list[CompletionEvent]) -> str:
    return "".join(event.text for event in found if isinstance(event, TextDelta))


def thought(found: list[CompletionEvent]) -> str:
    return "".join(event.text for event in found if isinstance(event, ThinkingDelta))


def retried(found: list[CompletionEvent]) -> list[Retrying]:
    return [event for event in found if isinstance(event, Retrying)]


async def failure(asked: CompletionService, what: CompletionRequest) -> CompletionError:
    """The error that a request ends with."""
    with pytest.raises(CompletionError) as raised:
        await events(asked, what)
    return raised.value
