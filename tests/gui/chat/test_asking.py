from __future__ import annotations

import asyncio

import pytest

from desktop.agent.events import ApprovalQuestion, ApprovalResponse
from desktop.gui.chat.asking import WindowAsker
from desktop.tasks import spawn
from desktop.tool_types import ToolDefinition

pytest_plugins = ("tests.gui.theme_fixture",)

QUESTION = ApprovalQuestion("1", ToolDefinition("s", "t"), {})


async def test_a_question_waits_for_its_own_answer() -> None:
    asker = WindowAsker()
    waiting = spawn(asker.ask(QUESTION), "ask")
    await asyncio.sleep(0)
    asker.answer("2", ApprovalResponse("once"))
    await asyncio.sleep(0)
    assert not waiting.done()
    asker.answer("1", ApprovalResponse("deny", reason="no"))
    assert await waiting == ApprovalResponse("deny", reason="no")


async def test_an_answer_that_comes_too_late_is_passed_over() -> None:
    asker = WindowAsker()
    waiting = spawn(asker.ask(QUESTION), "ask")
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    asker.answer("1", ApprovalResponse("once"))


async def test_only_the_first_answer_counts() -> None:
    asker = WindowAsker()
    waiting = spawn(asker.ask(QUESTION), "ask")
    await asyncio.sleep(0)
    asker.answer("1", ApprovalResponse("deny"))
    asker.answer("1", ApprovalResponse("always"))
    assert (await waiting).choice == "deny"
