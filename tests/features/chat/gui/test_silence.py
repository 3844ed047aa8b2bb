"""While a model says nothing, the seconds are counted."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tests.features.chat.agent.scripted import Scripted, says
from tests.features.chat.gui.conftest import idle, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest
    from tests.features.chat.gui.conftest import FakeProviders


class Slow(Scripted):
    """Says nothing until it may."""

    def __init__(self) -> None:
        super().__init__([says("Here.")])
        self.may_answer = asyncio.Event()

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        await self.may_answer.wait()
        async for event in super().stream(request):
            yield event


async def test_the_status_counts_the_seconds_until_the_first_word(
    page: ChatPage, providers: FakeProviders
) -> None:
    model = providers.model = Slow()
    chat = page.new_chat()
    chat.ask("go")
    await until(chat.changed, lambda: chat.silent_since)
    assert page.view.status.text() == "Working…"
    chat.silent_since = time.monotonic() - 12
    page.view.second.timeout.emit()
    assert page.view.status.text() == "Waiting for the model: 12 s"
    model.may_answer.set()
    await idle(chat)
    assert chat.silent_since == 0
    assert page.view.status.text() == ""
