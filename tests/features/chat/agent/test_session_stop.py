"""A stop, a cancelled call or a kill leaves a conversation that can go on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.features.chat.agent.events import (
    ApprovalGiven,
    CallAnswered,
    CallStarted,
    CallStepped,
    Ended,
)
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.models.messages import AssistantMessage, ToolMessage
from desktop.values.tool_types import ErrorCode
from tests.features.chat.agent.followed_session import (
    CALCULATOR,
    assert_valid,
    codes,
    followed,
    results,
)
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.live_servers import until
from tests.patience import LIMIT
from tests.tools.people import Person, Silent

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.chat.agent.sessions import AgentSessions


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
    async with asyncio.timeout(LIMIT):
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


async def test_a_call_that_waited_when_the_app_was_closed_says_so(
    sessions: AgentSessions,
) -> None:
    model = Scripted([calls(("calculator__evaluate", {"expression": "1"}))])
    person = Silent()
    session = await sessions.create(model, "m", person, builtins=CALCULATOR)
    asking = spawn(session.ask("go"), "ask")
    await person.asked.wait()
    await sessions.close()
    await asking
    loaded = await sessions.store.read(session.id)
    (result,) = [
        answer.result
        for message in loaded.messages
        if isinstance(message, ToolMessage)
        for answer in message.answers
    ]
    assert result.error is not None
    words = "The app was closed before this call came to its end. It was never sent."
    assert result.error.message == words
