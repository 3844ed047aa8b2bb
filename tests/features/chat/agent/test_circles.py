"""A model that turns in circles is told so, and then ended: cut calls, and the same call again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import force_setattr

from desktop.features.chat.agent.limits import RepeatedCalls, SessionLimits
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import ToolMessage, ToolRequest
from tests.features.chat.agent.followed_session import CALCULATOR, PLAIN, assert_valid, results
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.features.chat.llm.services.asking import service
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.chat.agent.sessions import AgentSessions

CUT = turn("", [("plain__echo", '{"message": "a very long')], stop="length")
SAME = calls(("calculator__evaluate", {"expression": "6*7"}))
OTHER = calls(("calculator__evaluate", {"expression": "1+1"}))
STREAMED = [ApiFormat.OPENAI, ApiFormat.OPENAI_RESPONSES, ApiFormat.ANTHROPIC]
"""Gemini sends a call whole or not at all."""


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def notes(session: AgentSession) -> list[str]:
    found = [message for message in session.messages if isinstance(message, ToolMessage)]
    return [answer.note for message in found for answer in message.answers]


@pytest.mark.parametrize("api_format", STREAMED)
async def test_a_call_that_the_output_limit_cut_names_the_limit_and_the_second_ends(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> None:
    script = Script([CUT, CUT, turn("never asked for")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        session = await sessions.create(asked, "m", Person(), builtins=PLAIN)
        outcome = await session.ask("write")
    first, second = (result.error for result in results(session))
    assert first is not None
    assert second is not None
    assert "reached the output limit of " in first.message
    assert "in several smaller calls" in first.message
    assert (outcome.end, outcome.kind) == ("limit", "length")
    assert "output limit 2 times in a row" in outcome.error
    assert "maxTokens" in outcome.error
    assert len(script.requests) == 2
    assert_valid(session)


async def test_a_model_that_learns_from_a_cut_call_goes_on(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    short = turn("", [("plain__echo", {"message": "short"})])
    loopback.play(Script([CUT, short, CUT, short, turn("done")]))
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "m", Person(), builtins=PLAIN)
        assert (await session.ask("write")).text == "done"


async def test_the_third_same_call_is_told_and_the_fifth_is_not_sent(
    sessions: AgentSessions,
) -> None:
    person = Person()
    session = await sessions.create(Scripted([SAME] * 9), "m", person, builtins=CALCULATOR)
    outcome = await session.ask("go")
    assert (outcome.end, outcome.kind, outcome.turns) == ("limit", "repeated", 5)
    assert "calculator:evaluate" in outcome.error
    assert [bool(note) for note in notes(session)] == [False, False, True, True, True]
    assert "3 times" in notes(session)[2]
    assert [result.success for result in results(session)] == [True] * 4 + [False]
    assert_valid(session)


async def test_the_model_reads_the_note_before_the_result(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    same = turn("", [("plain__echo", {"message": "hi"})])
    script = Script([same, same, same, turn("done")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "m", Person(), builtins=PLAIN)
        await session.ask("go")
    told = [m["content"] for m in script.requests[3].body["messages"] if m["role"] == "tool"]
    assert told[:2] == ["hi", "hi"]
    assert told[2].startswith("[You have made this very call 3 times.")
    assert told[2].endswith("]\nhi")


async def test_two_calls_in_turn_are_a_circle_and_a_call_after_each_change_is_none(
    sessions: AgentSessions,
) -> None:
    model = Scripted([SAME, OTHER] * 9)
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    assert (await session.ask("go")).kind == "repeated"

    steps = [calls(("calculator__evaluate", {"expression": f"{n}+1"})) for n in range(7)]
    worked = [step for each in steps for step in (each, SAME)]
    model = Scripted([*worked, says("done")])
    session = await sessions.create(model, "m", Person(), builtins=CALCULATOR)
    assert (await session.ask("go")).end == "done"


def test_a_call_whose_answer_changes_is_told_but_not_ended() -> None:
    repeated, request = RepeatedCalls(), ToolRequest("1", "job__state", '{"id": 1}')
    for time in range(9):
        assert repeated.take([request]) == [time + 1]
        repeated.note(request, f"{time} %")
    assert not repeated.is_answered_alike(request)
    spaced = ToolRequest("2", "job__state", {"id": 1})
    assert repeated.take([spaced]) == [10]


async def test_the_settings_bound_a_question_until_a_caller_says_otherwise(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    from desktop.config.models import AppSettings

    force_setattr(shared, "settings", lambda: AppSettings(chat_turns=1))
    session = await sessions.create(Scripted([SAME, SAME]), "m", Person(), builtins=CALCULATOR)
    assert (await session.ask("go")).turns == 1
    session.limits = SessionLimits(turns=1, seconds=5)
    assert (await session.ask("go")).kind == "turns"
