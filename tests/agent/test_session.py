"""A session answers, calls tools, stops, and ends with everything it started."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from desktop.agent.events import (
    ApprovalAsked,
    ApprovalGiven,
    ApprovalResponse,
    BuiltinLost,
    BuiltinReconnected,
    CallAnswered,
    CallStarted,
    CallStepped,
    Ended,
    QuestionAdded,
    TurnFinished,
    TurnStarted,
)
from desktop.agent.limits import SessionLimits
from desktop.agent.message_tree import ROOT
from desktop.agent.session_factory import _launch_of  # pyright: ignore[reportPrivateUsage]
from desktop.agent.session_info import Builtin
from desktop.errors import UsageError
from desktop.llm.completion import CompletionError, RequestDelta, TextDelta
from desktop.llm.messages import AssistantMessage, Image, ToolMessage, Usage, UserMessage
from desktop.llm.tool_choice import ToolChoice
from desktop.servers import connection as connection_module
from desktop.tasks import spawn
from desktop.tool_types import ErrorCode
from tests.agent.scripted import Person, Scripted, Silent, calls, says
from tests.live_servers import reached, stdio, until

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.agent.events import AgentEvent
    from desktop.agent.session import AgentSession
    from desktop.agent.session_context import SessionContext
    from desktop.agent.sessions import AgentSessions
    from desktop.tool_types import ToolResult
    from tests.conftest import ExpectedLogs

CALCULATOR = [Builtin("calculator")]
PLAIN = [Builtin("plain")]


def followed(session: AgentSession) -> list[AgentEvent]:
    told: list[AgentEvent] = []
    session.event_emitted.connect(told.append)
    return told


def results(session: AgentSession) -> list[ToolResult]:
    found = [message for message in session.messages if isinstance(message, ToolMessage)]
    return [answer.result for message in found for answer in message.answers]


def codes(session: AgentSession) -> list[ErrorCode | None]:
    return [result.error and result.error.code for result in results(session)]


def assert_valid(session: AgentSession) -> None:
    """What every provider asks of a conversation."""
    messages = list(session.messages)
    assert isinstance(messages[0], UserMessage)
    for before, after in zip(messages, [*messages[1:], None], strict=True):
        requested = (
            [r.call_id for r in before.requests] if isinstance(before, AssistantMessage) else []
        )
        answered = [a.call_id for a in after.answers] if isinstance(after, ToolMessage) else []
        assert requested == answered


async def test_the_model_calls_a_built_in_and_goes_on_with_the_answer(
    sessions: AgentSessions,
) -> None:
    model = Scripted([calls(("calculator__evaluate", '{"expression": "6*7"}')), says("It is 42.")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    told = followed(session)
    outcome = await session.ask("What is 6*7?")
    assert (outcome.end, outcome.text, outcome.turns) == ("done", "It is 42.", 2)
    assert outcome.usage == Usage(20, 4)
    user, request, answers, last = session.messages
    assert user == UserMessage("What is 6*7?")
    assert isinstance(request, AssistantMessage)
    assert isinstance(answers, ToolMessage)
    assert answers.answers[0].result.output == "42"
    assert last == says("It is 42.")
    assert [type(one) for one in told if not isinstance(one, CallStepped)] == [
        QuestionAdded,
        TurnStarted,
        RequestDelta,
        TurnFinished,
        CallStarted,
        ApprovalAsked,
        ApprovalGiven,
        CallAnswered,
        TurnStarted,
        TextDelta,
        TextDelta,
        TextDelta,
        TurnFinished,
        Ended,
    ]
    steps = [one.step for one in told if isinstance(one, CallStepped)]
    assert [step.step for step in steps][:4] == ["started", "found", "validated", "asked"]
    assert {(step.call.origin, step.call.model) for step in steps} == {("agent", "m")}
    assert steps[-1].result == answers.answers[0].result


async def test_calls_run_side_by_side_and_are_answered_in_the_order_of_the_requests(
    sessions: AgentSessions,
) -> None:
    slow = ("plain__slow", {"seconds": 0.3, "steps": 2})
    model = Scripted([calls(slow, ("plain__add", {"a": 1, "b": 2})), says("done")])
    session = await sessions.create(model, "m", Person(), builtins=PLAIN)
    told = followed(session)
    await session.ask("go")
    assert [result.output for result in results(session)] == ["done after 2 steps", "3"]
    ended = [one.answer.result.output for one in told if isinstance(one, CallAnswered)]
    assert ended == ["3", "done after 2 steps"]
    assert_valid(session)


async def test_what_a_model_writes_wrong_goes_back_to_it_as_an_error(
    sessions: AgentSessions,
) -> None:
    wrong = calls(
        ("calculator__evaluate", '{"expression": '),
        ("calculator__evaluate", "[1]"),
        ("calculator__evalute", "{}"),
        ("calculator__evaluate", {"expresion": "1"}),
        ("calculator__evaluate", {"expression": "1/0"}),
    )
    model = Scripted([wrong, says("I see.")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    outcome = await session.ask("go")
    assert outcome.end == "done"
    assert codes(session) == [
        ErrorCode.INVALID_ARGUMENTS,
        ErrorCode.INVALID_ARGUMENTS,
        ErrorCode.NOT_FOUND,
        ErrorCode.INVALID_ARGUMENTS,
        ErrorCode.TOOL_ERROR,
    ]
    unknown = results(session)[2].error
    assert unknown is not None
    assert "calculator__evaluate" in unknown.message
    assert_valid(session)


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
    sessions: AgentSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "FIRST_PAUSE", 0.01)
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
            os.kill(server.pid, signal.SIGKILL)

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
    again = await sessions.reopen(await _closed(session), model, Person())
    await again.ask("once more?")
    gone, unknown = (result.error for result in results(again)[-2:])
    assert gone is not None
    assert unknown is not None
    assert gone.message == 'The server "plain" of this tool was removed. Go on without it.'
    assert unknown.code is ErrorCode.NOT_FOUND


async def _closed(session: AgentSession) -> str:
    await session.close()
    return session.id


async def test_one_that_crashes_again_stays_away_and_the_model_is_told(
    sessions: AgentSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "FIRST_PAUSE", 0.01)
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


async def test_a_stop_in_a_call_cancels_it_at_the_server_and_answers_every_request(
    sessions: AgentSessions, tmp_path: Path
) -> None:
    file = tmp_path / "call"
    wait = ("waiting__write_and_wait", {"path": str(file)})
    model = Scripted([calls(("calculator__evaluate", {"expression": "1"}), wait), says("fine")])
    builtins = [Builtin("waiting"), *CALCULATOR]
    session = await sessions.create(model, "m", Person(), builtins=builtins)

    told = followed(session)
    asking = spawn(session.ask("go"), "ask")
    while not file.exists():  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(0.01)
    await until(
        session.event_emitted, lambda: [one for one in told if isinstance(one, CallAnswered)]
    )
    session.stop()
    outcome = await asking
    assert outcome.end == "stopped"
    assert codes(session) == [None, ErrorCode.CANCELLED]
    error = results(session)[1].error
    assert error is not None
    assert error.message == "The call was cancelled by the person."
    assert results(session)[1].execution_time > 0
    cancelled = tmp_path / "call.cancelled"
    async with asyncio.timeout(10):
        while not cancelled.exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
    assert_valid(session)
    assert (await session.ask("and now?")).text == "fine"


async def test_a_kill_while_a_person_is_asked_leaves_a_call_that_was_never_sent(
    sessions: AgentSessions,
) -> None:
    model = Scripted([calls(("calculator__evaluate", {"expression": "1"})), says("ok")])
    person = Silent()
    session = await sessions.create(model, "m", person, builtins=CALCULATOR)
    asking = spawn(session.ask("go"), "ask")
    await person.asked.wait()
    file = sessions.store.file(session.id)
    while not file.exists() or b"calculator__ev" not in file.read_bytes():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    *_, last = (await sessions.store.read(session.id)).messages  # what a kill would leave
    assert isinstance(last, ToolMessage)
    assert "before this call was sent" in str(last.answers[0].result.error)
    session.stop()
    await asking


async def test_a_kill_while_a_call_runs_leaves_one_that_may_have_had_effects(
    sessions: AgentSessions, tmp_path: Path
) -> None:
    file = tmp_path / "call"
    model = Scripted([calls(("waiting__write_and_wait", {"path": str(file)}))])
    session = await sessions.create(model, "m", Person(), builtins=[Builtin("waiting")])
    asking = spawn(session.ask("go"), "ask")
    while not file.exists():  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(0.01)
    *_, last = (await sessions.store.read(session.id)).messages
    assert isinstance(last, ToolMessage)
    assert "may have had effects" in str(last.answers[0].result.error)
    session.stop()
    await asking


async def test_one_call_is_cancelled_and_the_model_goes_on_with_the_others(
    sessions: AgentSessions, tmp_path: Path
) -> None:
    file = tmp_path / "call"
    wait = ("waiting__write_and_wait", {"path": str(file)})
    model = Scripted([calls(wait, ("calculator__evaluate", {"expression": "1"})), says("fine")])
    builtins = [Builtin("waiting"), *CALCULATOR]
    session = await sessions.create(model, "m", Person(), builtins=builtins)
    told = followed(session)
    asking = spawn(session.ask("go"), "ask")
    await until(
        session.event_emitted,
        lambda: [one for one in told if isinstance(one, CallStepped) and one.step.step == "sent"],
    )
    request, _ = [one.call_id for one in told if isinstance(one, CallStarted)]
    assert session.cancel_call(request)
    assert (await asking).text == "fine"
    assert codes(session) == [ErrorCode.CANCELLED, None]
    assert not session.cancel_call(request)
    assert_valid(session)


async def test_a_stop_in_the_answer_keeps_what_was_said(sessions: AgentSessions) -> None:
    model = Scripted([says("The whole answer."), says("On we go.")], hang_after="The wh")
    session = await sessions.create(model, "m", Person())
    asking = spawn(session.ask("go"), "ask")
    await model.hanging.wait()
    assert session.is_running
    session.stop()
    outcome = await asking
    assert (outcome.end, outcome.text) == ("stopped", "The wh")
    assert session.messages[-1] == AssistantMessage("The wh", stop="other", model="m")
    assert model.ended
    model.hang_after = ""
    assert (await session.ask("go on")).text == "On we go."


async def test_cancelling_who_asked_stops_it_and_raises_on(sessions: AgentSessions) -> None:
    model = Scripted([says("x")], hang_after="The")
    session = await sessions.create(model, "m", Person())
    told = followed(session)
    asking = spawn(session.ask("go"), "ask")
    await model.hanging.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert isinstance(told[-1], Ended)
    assert told[-1].outcome.end == "stopped"
    assert not session.is_running


async def test_a_stop_while_a_person_is_asked_takes_the_question_away(
    sessions: AgentSessions,
) -> None:
    model = Scripted([calls(("calculator__evaluate", {"expression": "1"})), says("ok")])
    person = Silent()
    session = await sessions.create(model, "m", person, builtins=CALCULATOR)
    told = followed(session)
    asking = spawn(session.ask("go"), "ask")
    await person.asked.wait()
    session.stop()
    assert (await asking).end == "stopped"
    assert person.open == 0
    assert [one.answer for one in told if isinstance(one, ApprovalGiven)] == [None]
    assert codes(session) == [ErrorCode.CANCELLED]
    (result,) = results(session)
    assert "It was never sent." in str(result.error)
    assert result.execution_time == 0
    assert result.approval_wait > 0
    assert (await session.ask("go on")).text == "ok"


async def test_a_refused_call_is_not_sent_and_the_model_hears_the_reason(
    sessions: AgentSessions, tmp_path: Path
) -> None:
    file = tmp_path / "never"
    model = Scripted([calls(("plain__write_file", {"path": str(file)})), says("A pity.")])
    person = Person(ApprovalResponse("deny", reason="Not in that folder."))
    session = await sessions.create(model, "m", person, builtins=PLAIN)
    assert (await session.ask("go")).text == "A pity."
    assert codes(session) == [ErrorCode.DENIED]
    assert "Not in that folder." in str(results(session)[0].error)
    assert not file.exists()


async def test_corrected_arguments_are_the_ones_that_are_sent(sessions: AgentSessions) -> None:
    model = Scripted([calls(("plain__add", {"a": 1, "b": 2})), says("ok")])
    person = Person(ApprovalResponse("once", arguments={"a": 20, "b": 22}))
    session = await sessions.create(model, "m", person, builtins=PLAIN)
    await session.ask("go")
    assert results(session)[0].output == "42"
    assert person.questions[0].arguments == {"a": 1, "b": 2}


async def test_what_servers_say_of_their_tools_is_data_and_never_the_system_prompt(
    sessions: AgentSessions,
) -> None:
    """A description that gives orders goes where descriptions go, and allows nothing."""
    model = Scripted([calls(("plain__echo", {"message": "hi"})), says("ok")])
    person = Person(ApprovalResponse("deny"))
    session = await sessions.create(model, "m", person, builtins=PLAIN, system="You count words.")
    server = next(iter(session.tools.connections))
    said = {tool.description for tool in server.tools if tool.description}
    instructions = server.about.instructions
    await session.ask("go")
    assert [request.system for request in model.requests] == ["You count words."] * 2
    texts = " ".join(
        message.text for message in model.requests[0].messages if isinstance(message, UserMessage)
    )
    for text in (*said, instructions):
        assert not text or text not in texts
    assert len(person.questions) == 1


async def test_the_turns_of_one_ask_are_limited(sessions: AgentSessions) -> None:
    again = calls(("calculator__evaluate", {"expression": "1"}))
    model = Scripted([again, again, again, says("done")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    session.limits = SessionLimits(turns=2)
    outcome = await session.ask("go")
    assert (outcome.end, outcome.turns) == ("limit", 2)
    assert "limit of 2 turns" in outcome.error
    assert_valid(session)
    assert (await session.ask("go on")).text == "done"


async def test_the_time_of_one_ask_is_limited(sessions: AgentSessions) -> None:
    model = Scripted([calls(("plain__slow", {"seconds": 60.0})), says("late")])
    session = await sessions.create(model, "m", Person(), builtins=PLAIN)
    session.limits = SessionLimits(seconds=0.4)
    outcome = await session.ask("go")
    assert outcome.end == "limit"
    assert "0.4 s" in outcome.error
    assert codes(session) == [ErrorCode.CANCELLED]
    assert_valid(session)


async def test_the_calls_of_one_turn_are_limited(sessions: AgentSessions) -> None:
    one = ("calculator__evaluate", {"expression": "1"})
    model = Scripted([calls(one, one, one), says("ok")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    session.limits = SessionLimits(calls=2)
    await session.ask("go")
    assert codes(session) == [None, None, ErrorCode.DENIED]


async def test_a_large_result_is_cut_and_the_model_reads_on(sessions: AgentSessions) -> None:
    read = ("session__read_result", {"id": "r1", "offset": 99_990, "length": 100})
    model = Scripted([calls(("plain__big", {"bytes": 100_000})), calls(read), says("ok")])
    person = Person()
    session = await sessions.create(model, "m", person, builtins=PLAIN)
    await session.ask("go")
    cut, rest = results(session)
    assert len(cut.output) < 9_000
    assert "This result has 100000 characters" in cut.output
    assert "session__read_result" in cut.output
    assert rest.output == "xxxxxxxxxx\n[characters 99990 to 100000 of 100000; this is its end]"
    assert len(person.questions) == 1
    names = [
        [declaration.wire_name for declaration in table.declarations] for table in model.tables
    ]
    assert ["session__read_result" in name for name in names] == [False, True, True]


async def test_a_failure_of_the_provider_is_an_outcome_and_the_conversation_can_go_on(
    sessions: AgentSessions,
) -> None:
    failure = CompletionError("overloaded", "The provider is busy.", remedy="Try again.")
    model = Scripted([failure, says("Here I am.")])
    session = await sessions.create(model, "m", Person())
    outcome = await session.ask("hello?")
    assert (outcome.end, outcome.kind) == ("failed", "overloaded")
    assert outcome.error == "The provider is busy.\nTry again."
    assert (await session.ask("go on")).text == "Here I am."
    said = [UserMessage, UserMessage, AssistantMessage]
    assert [type(message) for message in session.messages] == said


async def test_a_fault_of_the_service_ends_the_ask_and_not_the_session(
    sessions: AgentSessions, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("failed")
    model = Scripted([RuntimeError("a bug"), says("fine")])
    session = await sessions.create(model, "m", Person())
    outcome = await session.ask("go")
    assert (outcome.end, outcome.kind, outcome.error) == (
        "failed",
        "internal",
        "RuntimeError: a bug",
    )
    assert (await session.ask("go on")).text == "fine"


async def test_it_does_one_thing_at_a_time(sessions: AgentSessions) -> None:
    model = Scripted([says("x")], hang_after="x")
    session = await sessions.create(model, "m", Person())
    asking = spawn(session.ask("go"), "ask")
    await model.hanging.wait()
    with pytest.raises(UsageError, match="at work"):
        await session.ask("and this?")
    with pytest.raises(UsageError, match="at work"):
        session.use(model, "other")
    await session.close()
    assert (await asking).end == "stopped"
    with pytest.raises(UsageError, match="closed"):
        await session.ask("still there?")


async def test_the_services_tools_are_offered_as_chosen_and_a_toggle_counts_at_once(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    shared.service.add_server(stdio("plain"))
    await shared.service.connect_all()
    toggled = calls(("mcp__plain__add", {"a": 1, "b": 2}))
    model = Scripted([toggled, says("a"), says("b"), says("c")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    await session.ask("one")
    assert results(session)[0].output == "3"
    session.choose(ToolChoice("off"))
    await session.ask("two")
    session.choose(ToolChoice("manual", ("plain",)))
    plain = shared.service.connection("plain")
    plain.reconfigure(plain.config.changed(disabled_tools=("add",)))
    await session.ask("three")
    offered = [
        {declaration.wire_name for declaration in table.declarations} for table in model.tables[1:]
    ]
    assert ["mcp__plain__add" in one for one in offered] == [True, False, False]
    assert ["mcp__plain__echo" in one for one in offered] == [True, False, True]
    assert ["calculator__evaluate" in one for one in offered] == [True, True, True]


async def test_a_session_goes_on_with_another_model(sessions: AgentSessions) -> None:
    first, second = Scripted([says("one")]), Scripted([says("two")], name="other")
    session = await sessions.create(first, "m1", Person())
    await session.ask("a")
    session.use(second, "m2")
    await session.ask("b")
    assert [request.model for request in first.requests] == ["m1"]
    assert [request.model for request in second.requests] == ["m2"]
    assert (session.about.provider, session.about.model) == ("other", "m2")
    assert session.about.title == "a"


def texts(session: AgentSession) -> list[str]:
    return [message.text for message in session.messages if not isinstance(message, ToolMessage)]


async def test_an_edited_question_begins_a_branch_and_the_old_one_stays(
    sessions: AgentSessions,
) -> None:
    model = Scripted([says("One."), says("Two."), says("Three.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("first")
    old = session.tree.head
    await session.ask("edited", after=ROOT)
    assert texts(session) == ["edited", "Two."]
    assert [message.text for message in model.requests[1].messages] == ["edited"]  # type: ignore[union-attr]
    session.go_to(old)
    assert texts(session) == ["first", "One."]
    await session.ask("and then?")

    again = await sessions.reopen(await _closed(session), model, Person())
    assert texts(again) == ["first", "One.", "and then?", "Three."]
    again.go_to(again.tree.end(2))
    assert texts(again) == ["edited", "Two."]
    stored = await sessions.store.read(await _closed(again))
    assert [node.number for node in stored.tree.path()] == [2, 3]


async def test_an_answer_can_be_tried_again(sessions: AgentSessions) -> None:
    model = Scripted([says("One."), says("Two.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("first")
    await session.answer_again(0)
    assert texts(session) == ["first", "Two."]
    assert [message.text for message in model.requests[1].messages] == ["first"]  # type: ignore[union-attr]
    assert session.tree.versions(0).starts == (1, 2)


async def test_after_an_error_nothing_that_was_done_is_done_again(sessions: AgentSessions) -> None:
    broken = CompletionError("overloaded", "The provider is busy.")
    evaluate = calls(("calculator__evaluate", '{"expression": "6*7"}'))
    model = Scripted([evaluate, broken, says("It is 42.")])
    person = Person()
    session = await sessions.create(model, "m", person, builtins=CALCULATOR)
    assert (await session.ask("6*7?")).end == "failed"
    outcome = await session.answer_again(session.tree.resume_point())
    assert outcome.text == "It is 42."
    assert len(person.questions) == 1
    assert_valid(session)


async def test_the_title_is_what_the_conversation_is_about(sessions: AgentSessions) -> None:
    model = Scripted([says("Hello!"), says("Done."), says("A cat on a mat. It sleeps.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("Hi!")
    assert session.about.title == "Hi!"
    await session.ask("Please list my open issues. Thanks!")
    assert session.about.title == "List my open issues"
    other = await sessions.create(model, "m", Person())
    await other.ask("", (Image(b"\x89PNG", "image/png"),))
    assert other.about.title == "A cat on a mat"


async def test_a_line_that_is_lost_leaves_the_other_branches_where_they_were(
    sessions: AgentSessions,
) -> None:
    model = Scripted([says("One."), says("Two.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("first")
    await session.ask("edited", after=ROOT)
    session.go_to(0)
    session.go_to(3)
    file = sessions.store.file(await _closed(session))
    lines = file.read_text("utf-8").splitlines()
    damaged = ["{" if '"One."' in line else line for line in lines]
    file.write_text("\n".join(damaged), "utf-8")
    stored = await sessions.store.read(session.id)
    assert [node.number for node in stored.tree.path()] == [2, 3]
    assert (stored.dropped, stored.tree.versions(2).starts) == (1, (0, 3))


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
