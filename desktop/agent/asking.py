"""Passes questions on to whoever asks the person, tells of them, and stops the clock meanwhile."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from desktop.agent.events import ApprovalAsked, ApprovalGiven

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.agent.clock import PausableTimeout
    from desktop.agent.events import AgentEvent
    from desktop.agent.question import ApprovalPrompter, ApprovalQuestion, ApprovalResponse


class NotifyingPrompter:
    """An `Asker` around the session's own. `clock` is that of the ask that runs."""

    def __init__(self, asker: ApprovalPrompter, tell: Callable[[AgentEvent], None]) -> None:
        self.clock: PausableTimeout | None = None
        self._asker, self._tell = asker, tell

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        answer: ApprovalResponse | None = None
        self._tell(ApprovalAsked(question))
        try:
            with self.clock.paused() if self.clock is not None else nullcontext():
                answer = await self._asker.ask(question)
            return answer
        finally:
            self._tell(ApprovalGiven(question, answer))
