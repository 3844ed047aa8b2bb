"""The servers of a session start with it, come back after a crash, and end with it.

A tool whose server is off, gone or away is not called unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.errors import UsageError
from desktop.features.chat.agent.events import (
    BuiltinLost,
    BuiltinReconnected,
    CallStarted,
    CallStepped,
)
from desktop.features.chat.agent.session_factory import _launch_of  # pyright: ignore[reportPrivateUsage]
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.values.tool_types import ErrorCode
from tests.features.chat.agent.followed_session import (
    CALCULATOR,
    PLAIN,
    assert_valid,
    closed,
    codes,
    followed,
    results,
)
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.live_servers import QUICK, reached, stdio
from tests.tools.people import Person

if TYPE_CHECKING:
    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.chat.agent.sessions import AgentSessions


async def test_two_sessions_share_no_process_and_the_end_of_one_leaves_the_other(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    model = Scripted([calls(("calculator__evaluate", {"expression": "1+1"})), says("2")])
    one = await sessions.create(Scripted([]), "m", Person(), builtins=CALCULATOR)
    other = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    pids = {next(iter(each.tools.connections)).pid for each in (one, other)}
    assert len(pids) == 2
    assert {each.process.pid for each in shared.surroundings.tracker.tracked} == pids
    await one.close()
    assert [each.process.pid for each in shared.surroundings.tracker.tracked] == [
        next(iter(other.tools.connections)).pid
    ]
    assert (await other.ask("1+1?")).text == "2"
    assert results(other)[0].output == "2"
    assert sessions.open == (other,)


async def test_a_built_in_that_is_killed_in_a_call_is_started_again_and_the_session_goes_on(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    shared.surroundings.pauses = QUICK
    model = Scripted(
        [
            calls(("plain__slow", {"seconds": 60.0, "steps": 1200})),
            calls(("plain__add", {"a": 1, "b": 2})),
            says("3"),
        ]
    )
    session = await sessions.create(model, "m", Person(), builtins=PLAIN)
    told = followed(session)
    server = next(iter(session.tools.connections))

    def kill(event: AgentEvent) -> None:
        if isinstance(event, CallStepped) and event.step.step == "progress" and server.pid:
            psutil.Process(server.pid).kill()

    session.event_emitted.connect(kill)
    outcome = await session.ask("go")
    assert (outcome.end, outcome.text) == ("done", "3")
    assert codes(session) == [ErrorCode.UNREACHABLE, None]
    lost, back = (one for one in told if isinstance(one, BuiltinLost | BuiltinReconnected))
    assert isinstance(lost, BuiltinLost)
    assert lost.name == "plain"
    assert lost.restarting
    assert back == BuiltinReconnected("plain")
    assert_valid(session)


async def test_a_tool_whose_server_is_off_or_gone_is_not_called_unknown(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    add, pid = ("mcp__plain__add", {"a": 1, "b": 2}), ("mcp__plain__pid", "{}")
    shared.service.add_server(stdio("plain"))
    await shared.service.connect_all()
    model = Scripted([calls(add), says("3"), calls(add, pid), says("Off.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("1+2?")
    connection = shared.service.connection("plain")
    shared.service.apply([connection.config.changed(enabled=False)])
    await reached(connection, "stopped")
    told = followed(session)
    await session.ask("and again?")
    off = [result.error and result.error.message for result in results(session)[1:]]
    assert off == ['The server "plain" of this tool is switched off. Go on without it.'] * 2
    assert [each.key for each in told if isinstance(each, CallStarted)] == [
        "plain:add",
        "plain:pid",
    ]

    shared.service.apply([])
    model.steps += [calls(add, ("mcp__plain__nothing", {})), says("Gone.")]
    again = await sessions.reopen(await closed(session), model, Person())
    await again.ask("once more?")
    gone, unknown = (result.error for result in results(again)[-2:])
    assert gone is not None
    assert unknown is not None
    assert gone.message == 'The server "plain" of this tool was removed. Go on without it.'
    assert unknown.code is ErrorCode.NOT_FOUND


async def test_one_that_crashes_again_stays_away_and_the_model_is_told(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    shared.surroundings.pauses = QUICK
    crash = ("plain__crash", "{}")
    model = Scripted([calls(crash), calls(crash), calls(crash), says("It is gone.")])
    both = [*PLAIN, *CALCULATOR]
    session = await sessions.create(model, "m", Person(), builtins=both)
    told = followed(session)
    outcome = await session.ask("go")
    assert (outcome.end, outcome.text) == ("done", "It is gone.")
    assert codes(session) == [ErrorCode.UNREACHABLE] * 3
    last = results(session)[2].error
    assert last is not None
    assert 'The server "plain" of this tool is not connected now' in last.message
    away = [one.restarting for one in told if isinstance(one, BuiltinLost)]
    assert away == [True, False]
    assert list(session.tools.watch.lost) == ["plain"]
    assert session.tools.registry.get("calculator:evaluate") is not None


async def test_a_built_in_that_does_not_start_leaves_the_others(sessions: AgentSessions) -> None:
    broken = Builtin("plain", ("--era", "none"))
    model = Scripted([says("hello")])
    session = await sessions.create(model, "m", Person(), builtins=[*CALCULATOR, broken])
    assert session.tools.registry.get("calculator:evaluate") is not None
    assert (await session.ask("hi")).text == "hello"


async def test_a_name_that_is_no_built_in_is_refused(sessions: AgentSessions) -> None:
    with pytest.raises(UsageError, match="No built-in or local server is named 'nothing'"):
        await sessions.create(Scripted([]), "m", Person(), builtins=[Builtin("nothing")])
    assert sessions.open == ()


async def test_a_conversation_keeps_its_tools_and_what_is_taken_out_cannot_be_called(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    shared.service.add_server(stdio("plain"))
    await shared.service.connect_all()
    toggled = calls(("mcp__plain__add", {"a": 1, "b": 2}))
    model = Scripted([toggled, says("a"), toggled, says("b"), toggled, says("c"), says("d")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    await session.ask("one")
    assert results(session)[0].output == "3"
    session.choose(ToolChoice("off"))
    await session.ask("two")
    session.choose(ToolChoice("manual", ("plain",)))
    plain = shared.service.connection("plain")
    plain.reconfigure(plain.config.changed(disabled_tools=("add",)))
    await session.ask("three")
    _, unchosen, gone = (result.error for result in results(session))
    assert unchosen is not None
    assert "the person took it out of this conversation" in unchosen.message
    assert gone is not None
    assert "its server does not list it any more" in gone.message
    assert all(table.tools == model.tables[0].tools for table in model.tables)
    assert session.tools.changes().gone == ("plain:add",)
    session.use_new_tools()
    assert not session.tools.changes()
    await session.ask("four")
    told = {declaration.wire_name for declaration in model.tables[-1].declarations}
    assert "mcp__plain__add" not in told
    assert {"mcp__plain__echo", "calculator__evaluate"} <= told


async def test_a_decision_about_a_server_of_ones_own_is_bound_to_its_arguments(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    first = await sessions.create(Scripted([]), "m", Person(), builtins=[Builtin("plain")])
    other = await sessions.create(
        Scripted([]), "m", Person(), builtins=[Builtin("plain", ("--era", "legacy"))]
    )
    launches = [
        _launch_of("plain", session.tools.connections, shared.service) for session in (first, other)
    ]
    assert launches[0] is not None
    assert launches[1] is not None
    assert launches[0].fingerprint != launches[1].fingerprint
