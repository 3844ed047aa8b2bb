"""Questions of a session that wait for a click of a person. Must not import Qt.

Nothing is ever answered here by itself: who stops waiting takes the question back.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.agent.events import ApprovalQuestion, ApprovalResponse


class WindowAsker:
    """An `Asker`: each question waits until `answer` is called for it."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[ApprovalResponse]] = {}

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        """Wait for a person, without a limit; being cancelled takes the question back."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting[question.call_id] = waiting
        try:
            return await waiting
        finally:
            self._waiting.pop(question.call_id, None)

    def answer(self, call_id: str, answer: ApprovalResponse) -> None:
        """Give the answer; one that nobody waits for any more is passed over."""
        waiting = self._waiting.get(call_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)
