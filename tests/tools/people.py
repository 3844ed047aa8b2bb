"""People who answer the questions of approvals as they were told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.tools.approvals import ApprovalResponse

if TYPE_CHECKING:
    from desktop.tools.approvals import ApprovalQuestion


class Person:
    """Answers with what it was given, the last answer for all further questions."""

    def __init__(self, *answers: ApprovalResponse) -> None:
        self.answers = list(answers) or [ApprovalResponse("once")]
        self.questions: list[ApprovalQuestion] = []

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        self.questions.append(question)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Silent:
    """Never answers; knows whether it is still asked."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.open = 0

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        self.open += 1
        self.asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.open -= 1
        return ApprovalResponse("deny")
