"""A session answers, calls tools, keeps its limits, and goes on after a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn
from desktop.features.chat.agent.events import (
    ApprovalAsked,
    ApprovalGiven,
    CallAnswered,
    CallStarted,
    CallStepped,
    Ended,
    QuestionAdded,
    TurnFinished,
    TurnStarted,
)
from desktop.features.chat.agent.limits import SessionLimits
from desktop.features.chat.llm.completion import CompletionError, RequestDelta, TextDelta
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    ToolMessage,
    Usage,
    UserMessage,
)
from desktop.tools.approvals import ApprovalResponse
from desktop.values.tool_types import ErrorCode
from tests.features.chat.agent.followed_session import (
    CALCULATOR,
    PLAIN,
    assert_valid,
    codes,
    followed,
    results,
)
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.tools.people import Person

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.chat.agent.sessions import AgentSessions
    from tests.conftest import ExpectedLogs


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
    assert ["session__read_result" in name for name in names] == [True, True, True]


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
