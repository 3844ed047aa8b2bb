"""Sessions are made, stored, opened again, and end with the app.

A session that cannot be made leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn
from desktop.features.chat.agent.session_context import SessionRequest
from desktop.features.chat.agent.session_factory import make_session
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.agent.session_store import SessionError
from desktop.features.chat.agent.sessions import AgentSessions
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.models.messages import ToolMessage
from tests.cli.terminal import ROOT
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.features.chat.agent.test_session_info import ABOUT
from tests.live_servers import until
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.models.messages import Message
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from tests.conftest import ExpectedLogs


def make(
    sessions: AgentSessions, shared: SessionContext, *builtins: Builtin
) -> Coroutine[Any, Any, AgentSession]:
    request = SessionRequest(replace(ABOUT, builtins=builtins), Scripted([]), Person())
    return make_session(shared, sessions.store, request)


async def test_its_parts_fit_and_go_with_it(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    session = await make(sessions, shared, Builtin("calculator"))
    assert not sessions.store.lock(session.id).take()
    assert [one.owner for one in shared.surroundings.tracker.tracked] == ["calculator"]
    await session.close()
    lock = sessions.store.lock(session.id)
    assert lock.take()
    lock.release()
    assert shared.surroundings.tracker.tracked == ()


async def test_a_built_in_that_is_none_is_refused_before_anything_starts(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    with pytest.raises(UsageError, match="No built-in or local server is named 'none'"):
        await make(sessions, shared, Builtin("calculator"), Builtin("none"))
    lock = sessions.store.lock(ABOUT.id)
    assert lock.take()
    lock.release()


async def test_being_cancelled_ends_what_was_started_and_lets_go(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    tracker = shared.surroundings.tracker
    made = spawn(make(sessions, shared, Builtin("silent")), "make")
    await until(tracker.added, lambda: tracker.tracked)
    made.cancel()
    with pytest.raises(asyncio.CancelledError):
        await made
    assert tracker.tracked == ()
    lock = sessions.store.lock(ABOUT.id)
    assert lock.take()
    lock.release()


CALCULATOR = [Builtin("calculator")]
SUM = calls(("calculator__evaluate", {"expression": "1+1"}))


def kept(message: Message) -> Message:
    """A message without what the file leaves out: the `_meta` of a result."""
    if not isinstance(message, ToolMessage):
        return message
    answers = (
        replace(answer, result=replace(answer.result, meta={})) for answer in message.answers
    )
    return ToolMessage(tuple(answers))


async def test_a_session_that_ended_is_opened_again_with_all_it_had(
    sessions: AgentSessions,
) -> None:
    model = Scripted([SUM, says("2")])
    choice = ToolChoice("manual", ("x",))
    first = await sessions.create(
        model, "m", Person(), builtins=CALCULATOR, choice=choice, system="Be brief."
    )
    await first.ask("What is 1+1?")
    said = first.messages
    await first.close()
    assert sessions.open == ()
    again = await sessions.reopen(first.id, Scripted([SUM, says("Still 2.")]), Person())
    assert list(map(kept, again.messages)) == list(map(kept, said))
    assert again.about == first.about
    assert again.about.title == "What is 1+1?"
    assert again.tools.choice == choice
    assert (await again.ask("Sure?")).text == "Still 2."
    messages = again.messages
    await again.close()  # the last of it is on the disk then
    assert len((await sessions.store.read(first.id)).messages) == len(messages)


async def test_another_model_is_kept_from_then_on(sessions: AgentSessions) -> None:
    first = await sessions.create(Scripted([says("a")]), "m", Person())
    await first.ask("hi")
    await first.close()
    other = Scripted([says("b")], name="other")
    again = await sessions.reopen(first.id, other, Person(), model="m2")
    await again.ask("and?")
    await again.close()
    about = (await sessions.store.read(first.id)).about
    assert (about.provider, about.model) == ("other", "m2")
    assert other.requests[0].model == "m2"


async def test_an_open_session_is_not_opened_twice_here_or_elsewhere(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    first = await sessions.create(Scripted([says("a")]), "m", Person())
    await first.ask("hi")
    for other in (sessions, AgentSessions(shared)):
        with pytest.raises(SessionError, match="open already"):
            await other.reopen(first.id, Scripted([]), Person())
    await first.close()
    again = await sessions.reopen(first.id, Scripted([]), Person())
    await again.close()


async def test_a_torn_line_is_said_to_who_opens_it(sessions: AgentSessions) -> None:
    first = await sessions.create(Scripted([says("a")]), "m", Person())
    await first.ask("hi")
    await first.close()
    tear(first, sessions)
    again = await sessions.reopen(first.id, Scripted([says("b")]), Person())
    assert len(again.messages) == 1
    assert "could not be read" in again.notices[0]


def tear(session: AgentSession, sessions: AgentSessions) -> None:
    file = sessions.store.file(session.id)
    file.write_bytes(file.read_bytes()[:-5])


async def test_one_that_nothing_was_said_in_leaves_no_file(sessions: AgentSessions) -> None:
    session = await sessions.create(Scripted([]), "m", Person())
    session.rename("Something")
    await session.close()
    assert await sessions.store.list() == []


async def test_opening_and_ending_are_told(sessions: AgentSessions) -> None:
    opened: list[str] = []
    changed: list[int] = []
    sessions.opened.connect(lambda one: opened.append(one.id))
    sessions.changed.connect(lambda: changed.append(len(sessions.open)))
    one = await sessions.create(Scripted([]), "m", Person())
    other = await sessions.create(Scripted([]), "m", Person())
    await one.close()
    await one.close()
    assert opened == [one.id, other.id]
    assert changed == [1, 2, 1]


async def test_the_calls_of_a_session_are_recorded_until_it_ends(shared: SessionContext) -> None:
    recorded: list[str] = []

    def record(executor: ToolExecutor, registry: ToolRegistry) -> Callable[[], None]:
        return executor.finished.connect(lambda call, result: recorded.append(result.output))

    sessions = AgentSessions(replace(shared, record=record))
    session = await sessions.create(Scripted([SUM, says("2")]), "m", Person(), builtins=CALCULATOR)
    await session.ask("1+1?")
    await sessions.close()
    assert recorded == ["2"]


async def test_the_end_of_the_app_stops_what_runs_and_leaves_no_process(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    model = Scripted([calls(("plain__slow", {"seconds": 60}))])
    session = await sessions.create(model, "m", Person(), builtins=[Builtin("plain")])
    asking = spawn(session.ask("go"), "ask")
    idle = await sessions.create(Scripted([]), "m", Person(), builtins=CALCULATOR)
    assert len(shared.surroundings.tracker.tracked) == 2
    await sessions.close()
    assert (await asking).end == "stopped"
    assert shared.surroundings.tracker.tracked == ()
    assert not idle.is_running
    with pytest.raises(UsageError, match="closing"):
        await sessions.create(Scripted([]), "m", Person())


async def test_the_end_waits_for_a_session_that_is_just_being_made(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    making = sessions.create(Scripted([]), "m", Person(), builtins=CALCULATOR)
    made, _ = await asyncio.gather(making, sessions.close(), return_exceptions=True)
    assert isinstance(made, UsageError)
    assert shared.surroundings.tracker.tracked == ()


async def test_a_session_that_is_being_made_at_the_end_of_the_app_is_given_up(
    sessions: AgentSessions, shared: SessionContext, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("task make a session failed")
    builtins = (Builtin("silent"),)
    making = spawn(
        sessions.create(Scripted([]), "m", Person(), builtins=builtins), "make a session"
    )
    await until(shared.surroundings.tracker.added, lambda: shared.surroundings.tracker.tracked)
    await sessions.close()
    with pytest.raises(UsageError, match="closing"):
        await making
    assert shared.surroundings.tracker.tracked == ()
    with pytest.raises(UsageError, match="closing"):
        await sessions.create(Scripted([]), "m", Person())


async def test_sessions_are_logged_opened_and_closed(
    sessions: AgentSessions, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "desktop.features.chat.agent")
    session = await sessions.create(Scripted([]), "m", Person())
    await session.close()
    assert caplog.messages == [
        f"session {session.id} opened: scripted, 0 built-in servers",
        f"session {session.id} closed",
    ]


def test_importing_it_starts_nothing() -> None:
    code = (
        "import desktop.features.chat.agent.sessions, sys; "
        "heavy = {'mcp', 'desktop.features.chat.agent.loop', 'desktop.features.models.formats'}; "
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
