"""Each question is told when it is put and when it is off the table."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.features.chat.agent.events import ApprovalAsked, ApprovalGiven, NotifyingPrompter
from desktop.features.chat.agent.limits import PausableTimeout
from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse
from tests.tools.definitions import tool
from tests.tools.people import Person, Silent

if TYPE_CHECKING:
    from desktop.features.chat.agent.events import AgentEvent


QUESTION = ApprovalQuestion("c", tool(), {})


async def test_a_question_and_its_answer_are_told() -> None:
    told: list[AgentEvent] = []
    answer = ApprovalResponse("always")
    assert await NotifyingPrompter(Person(answer), told.append).ask(QUESTION) == answer
    assert told == [ApprovalAsked(QUESTION), ApprovalGiven(QUESTION, answer)]


async def test_a_question_that_is_cancelled_is_told_off() -> None:
    told: list[AgentEvent] = []
    person = Silent()
    asking = spawn(NotifyingPrompter(person, told.append).ask(QUESTION), "ask")
    await person.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert told[-1] == ApprovalGiven(QUESTION, None)


async def test_the_time_of_the_person_does_not_count() -> None:
    person = Silent()
    prompter = NotifyingPrompter(person, lambda _: None)
    prompter.clock = clock = PausableTimeout(0.02)

    async def ask() -> None:
        async with clock.running():
            await prompter.ask(QUESTION)

    asking = spawn(ask(), "ask")
    await person.asked.wait()
    _, waiting = await asyncio.wait({asking}, timeout=0.1)
    assert waiting == {asking}
    asking.cancel()
    await asyncio.wait({asking})
