from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.chat import Chat, WindowPrompter
from desktop.features.chat.gui.entries import NoticeEntry
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse
from desktop.values.tool_types import ToolDefinition
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle, setup
from tests.patience import LIMIT

if TYPE_CHECKING:
    from desktop.core import Core
    from tests.features.chat.gui.conftest import FakeProviders


QUESTION = ApprovalQuestion("1", ToolDefinition("s", "t"), {})


async def test_a_question_waits_for_its_own_answer() -> None:
    prompter = WindowPrompter()
    waiting = spawn(prompter.ask(QUESTION), "ask")
    await asyncio.sleep(0)
    prompter.answer("2", ApprovalResponse("once"))
    await asyncio.sleep(0)
    assert not waiting.done()
    prompter.answer("1", ApprovalResponse("deny", reason="no"))
    assert await waiting == ApprovalResponse("deny", reason="no")


async def test_an_answer_that_comes_too_late_is_passed_over() -> None:
    prompter = WindowPrompter()
    waiting = spawn(prompter.ask(QUESTION), "ask")
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    prompter.answer("1", ApprovalResponse("once"))


async def test_only_the_first_answer_counts() -> None:
    prompter = WindowPrompter()
    waiting = spawn(prompter.ask(QUESTION), "ask")
    await asyncio.sleep(0)
    prompter.answer("1", ApprovalResponse("deny"))
    prompter.answer("1", ApprovalResponse("always"))
    assert (await waiting).choice == "deny"


async def test_the_session_begins_with_the_first_question(
    core: Core, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("hi"))
    chat = Chat(core.part(Agent).sessions, providers, setup())
    assert (chat.is_begun, core.part(Agent).sessions.open) == (False, ())
    chat.ask("hello")
    assert (chat.is_busy, chat.phase) == (True, "starting")
    await idle(chat)
    assert chat.session in core.part(Agent).sessions.open
    await chat.close()
    assert core.part(Agent).sessions.open == ()


async def test_stopping_while_it_starts_leaves_nothing(
    core: Core, providers: FakeProviders
) -> None:
    chat = Chat(core.part(Agent).sessions, providers, setup(builtins=(Builtin("time"),)))
    chat.ask("hello")
    await asyncio.sleep(0)
    chat.stop()
    await idle(chat)
    kinds = [entry.kind for entry in chat.entries.entries if isinstance(entry, NoticeEntry)]
    assert (kinds, core.part(Agent).sessions.open) == (["stopped"], ())
    assert {one.owner for one in core.tracker.tracked} <= {"calculator"}


async def test_another_model_counts_from_the_next_question_on(
    core: Core, providers: FakeProviders
) -> None:
    providers.model.steps += [says("one"), says("two")]
    chat = Chat(core.part(Agent).sessions, providers, setup())
    chat.ask("1")
    await idle(chat)
    chat.choose(setup(model="scripted-2", choice=ToolChoice("off")))
    chat.ask("2")
    await idle(chat)
    await chat.close()
    assert [request.model for request in providers.model.requests] == ["scripted-1", "scripted-2"]
    told = [[each.key for each in table.declarations] for table in providers.model.tables]
    assert told[0] == told[1] != []


async def test_ending_it_stops_what_runs(core: Core, providers: FakeProviders) -> None:
    providers.model.steps.append(says("never"))
    providers.model.hang_after = "so"
    chat = Chat(core.part(Agent).sessions, providers, setup())
    chat.ask("1")
    await asyncio.wait_for(providers.model.hanging.wait(), LIMIT)
    await chat.close()
    assert (chat.phase, chat.session, providers.model.ended) == ("idle", None, True)


async def test_a_server_of_the_conversation_that_does_not_start_is_told(
    core: Core, providers: FakeProviders
) -> None:
    """It refuses its arguments and ends."""
    providers.model.steps.append(says("without it"))
    chat = Chat(
        core.part(Agent).sessions,
        providers,
        setup(builtins=(Builtin("filesystem", ("--no-such", "/tmp")),)),
    )
    chat.ask("hello")
    await idle(chat)
    await chat.close()
    notices = [entry for entry in chat.entries.entries if isinstance(entry, NoticeEntry)]
    assert [notice.kind for notice in notices] == ["lost"]
    assert notices[0].sentence.startswith("filesystem: ")
