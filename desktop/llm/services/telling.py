"""Tells a conversation to a provider message by message; each provider says how. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.llm.messages import AssistantMessage, ToolMessage
from desktop.llm.services.history import settled
from desktop.llm.services.replaying import replayed
from desktop.llm.services.said import said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats.content_parts import ContentPart
    from desktop.llm.messages import ToolAnswer
    from desktop.llm.services.untyped import Object


def tell(
    request: CompletionRequest,
    source: str,
    *,
    person: Callable[[list[ContentPart]], list[Object]],
    model: Callable[[AssistantMessage, list[Object]], list[Object]],
    tools: Callable[[Sequence[ToolAnswer]], list[Object]],
) -> list[Object]:
    """All messages of a request, in order.

    Args:
        request: its conversation may end anywhere and have been with other providers.
        source: turns whose `Replay.provider` is this one go back as they came.
        person: what a person said, never empty.
        model: a turn, and what to send back of it as it came: empty where it is to be told anew.
        tools: the answers to all calls of the turn before.
    """
    told: list[Object] = []
    for message in settled(request.messages):
        match message:
            case ToolMessage():
                told += tools(message.answers)
            case AssistantMessage():
                told += model(message, replayed(message, request.model, source))
            case _:
                told += person(said(message))
    return told
