"""A completion service that plays a script."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from desktop.features.chat.llm.completion import Completed, RequestDelta, TextDelta, TokenCount
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import AssistantMessage, ToolRequest, Usage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest
    from desktop.features.models.formats import WireTools

Step: TypeAlias = "AssistantMessage | Exception | Callable[[CompletionRequest], AssistantMessage]"


def says(text: str, **more: Any) -> AssistantMessage:
    return AssistantMessage(text, usage=Usage(10, 2), model="scripted-1", **more)


def calls(*requests: tuple[str, str | Mapping[str, Any]], text: str = "") -> AssistantMessage:
    made = tuple(
        ToolRequest(f"call-{n}-{name}"[:40], name, arguments)
        for n, (name, arguments) in enumerate(requests, 1)
    )
    return AssistantMessage(text, made, stop="tools", usage=Usage(10, 2), model="scripted-1")


@dataclass(slots=True)
class Scripted:
    """Plays one step a request and keeps what it was asked and shown."""

    steps: list[Step]
    name: str = "scripted"
    api_format: ApiFormat = ApiFormat.OPENAI
    requests: list[CompletionRequest] = field(default_factory=list["CompletionRequest"])
    tables: list[WireTools] = field(default_factory=list["WireTools"])
    count: int | Exception = 4_321
    """What its counter says of any tools."""
    hang_after: str = ""
    """Where set, the text of a turn is cut there and the rest never comes."""
    reads: int = 0
    """Tokens of its window."""
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        self.requests.append(request)
        table = await request.load_tools(self.api_format) if request.load_tools else None
        if table is not None:
            self.tables.append(table)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        message = step if isinstance(step, AssistantMessage) else step(request)
        try:
            if self.hang_after:
                yield TextDelta(self.hang_after)
                self.hanging.set()
                await asyncio.Event().wait()
            for word in message.text.split(" ") if message.text else ():
                yield TextDelta(f"{word} ")
            for index, one in enumerate(message.requests):
                yield RequestDelta(index, one.wire_name, str(one.arguments))
            yield Completed(message, table)
        finally:
            self.ended = True

    def window(self, model: str) -> int:
        return self.reads

    async def list_models(self) -> list[str]:
        return ["scripted-1"]

    async def count_tools(self, model: str, tools: WireTools) -> TokenCount:
        if isinstance(self.count, Exception):
            raise self.count
        return TokenCount(self.count, "Scripted", model)

    async def close(self) -> None:
        return
