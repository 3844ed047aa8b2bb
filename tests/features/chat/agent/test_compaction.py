"""A conversation goes on in a window that its results would fill, and says what it left out."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.agent.compaction import (
    FULL,
    SUMMARISE,
    message_tokens,
    name_of,
    place_of,
    summary_question,
    text_tokens,
)
from desktop.features.chat.agent.events import NoticePosted, ResultsShortened
from desktop.features.chat.agent.limits import SessionLimits
from desktop.features.chat.agent.loop import ROOM_MADE
from desktop.features.chat.llm.completion import CompletionError
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import (
    AssistantMessage,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from tests.features.chat.agent.followed_session import (
    PLAIN,
    assert_valid,
    closed,
    followed,
    results,
)
from tests.features.chat.agent.scripted import Scripted, says
from tests.features.chat.llm.services.asking import service
from tests.features.models.loopback.bound_thinking import BoundThinking
from tests.features.models.loopback.script import Script, failing, turn
from tests.features.models.loopback.server import Loopback
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.sessions import AgentSessions
    from desktop.features.chat.llm.completion import CompletionRequest
    from desktop.features.models.messages import Message


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


class Counting(Scripted):
    """Calls so often, and counts tokens as a provider would."""

    def __init__(self, calls: int, size: int, window: int) -> None:
        super().__init__([lambda asked, n=n: self._call(asked, n, size) for n in range(calls)])
        self.steps.append(lambda asked: self._say(asked, "done"))
        self.reads = window

    def _call(self, asked: CompletionRequest, n: int, size: int) -> AssistantMessage:
        request = ToolRequest(f"call-{n}", "plain__big", {"bytes": size + n})
        return AssistantMessage("", (request,), stop="tools", usage=self._usage(asked))

    def _say(self, asked: CompletionRequest, text: str) -> AssistantMessage:
        return AssistantMessage(text, usage=self._usage(asked))

    def _usage(self, asked: CompletionRequest) -> Usage:
        return Usage(message_tokens(asked.messages), 20)


def breaks(requests: Sequence[Sequence[Message]]) -> int:
    """How often a request did not begin with the whole of the one before."""
    return sum(list(after[: len(before)]) != list(before) for before, after in pairwise(requests))


def said(told: Sequence[AgentEvent]) -> list[str]:
    return [str(event.sentence) for event in told if isinstance(event, NoticePosted)]


async def test_a_conversation_of_200_calls_goes_on(sessions: AgentSessions) -> None:
    """Each time that a request is no prefix of the next one, the person reads why."""
    model = Counting(200, 3_000, 32_000)
    session = await sessions.create(model, "m", Person(), builtins=PLAIN)
    session.limits = SessionLimits(turns=300)
    told = followed(session)
    outcome = await session.ask("go")
    assert (outcome.end, outcome.text, len(results(session))) == ("done", "done", 200)
    used = [message_tokens(request.messages) for request in model.requests]
    assert max(used) < 32_000
    assert max(used) > 32_000 * (FULL - 0.1)
    notices = said(told)
    assert set(notices) == {str(ROOM_MADE)}
    assert breaks([request.messages for request in model.requests]) == len(notices)
    assert 2 < len(notices) < 30
    assert_valid(session)
    assert all(len(result.output) >= 3_000 for result in results(session))


async def test_the_model_reads_on_in_a_shortened_result_also_after_a_restart(
    sessions: AgentSessions,
) -> None:
    model = Counting(12, 3_000, 8_000)
    session = await sessions.create(model, "m", Person(), builtins=PLAIN)
    await session.ask("go")
    short = model.requests[-1].messages[2]
    assert isinstance(short, ToolMessage)
    assert 'id "m2.0"' in short.answers[0].result.output
    again = Scripted([])
    reopened = await sessions.reopen(await closed(session), again, Person())
    wanted = ToolRequest("r", "session__read_result", {"id": "m2.0", "offset": 0})
    again.steps += [AssistantMessage("", (wanted,), stop="tools"), says("read")]
    assert (await reopened.ask("What was the first?")).text == "read"
    assert list(again.requests[0].messages[:3]) == list(model.requests[-1].messages[:3])
    assert results(reopened)[-1].output.startswith(results(reopened)[0].output[:3_000])


async def test_cards_are_told_how_many_calls_are_sent_in_part(sessions: AgentSessions) -> None:
    model = Counting(12, 3_000, 8_000)
    session = await sessions.create(model, "m", Person(), builtins=PLAIN)
    told = followed(session)
    await session.ask("go")
    counts = [event.calls for event in told if isinstance(event, ResultsShortened)]
    assert counts == sorted(set(counts))
    assert 0 < counts[-1] < 12


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_shortened_on_the_wire_each_provider_takes_it(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> None:
    """Also by the rule by which Anthropic refuses thinking behind what has changed."""
    calls = [turn("", [("plain__big", {"bytes": 3_000 + n})], thinking="Hm.") for n in range(9)]
    turns = [*calls, turn("done", thinking="Hm.")]
    script = BoundThinking(turns) if api_format is ApiFormat.ANTHROPIC else Script(turns)
    loopback.play(script)
    async with service(api_format, loopback, context_window=4_000) as asked:
        session = await sessions.create(asked, "model-x", Person(), builtins=PLAIN)
        told = followed(session)
        outcome = await session.ask("go")
        await session.close()
    assert outcome.text == "done", outcome.error
    assert any(notice.startswith(str(ROOM_MADE)) for notice in said(told))
    last = script.requests[-1].raw
    assert b"Shortened to make room" in last
    assert len(last) < 9 * 3_000


async def test_an_overflow_that_names_its_limit_makes_room_once_and_goes_on(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    calls = [turn("", [("plain__big", {"bytes": 3_000 + n})]) for n in range(6)]
    words = "request (5000 tokens) exceeds the available context size (4096 tokens)"
    script = Script([*calls, failing(400, words), turn("done")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "model-y", Person(), builtins=PLAIN)
        outcome = await session.ask("go")
        await session.close()
    assert (outcome.end, outcome.text) == ("done", "done")
    assert len(script.requests[-1].raw) < len(script.requests[-2].raw) / 2


async def test_where_nothing_can_be_left_out_the_overflow_ends_the_question(
    sessions: AgentSessions,
) -> None:
    model = Scripted([CompletionError("context", "Too long.")], reads=1_000)
    session = await sessions.create(model, "m", Person())
    outcome = await session.ask("word " * 2_000)
    assert (outcome.end, outcome.kind, len(model.requests)) == ("failed", "context", 1)


async def test_a_summary_is_asked_of_the_model_and_is_no_part_of_the_conversation(
    sessions: AgentSessions,
) -> None:
    model = Scripted([says("Paris."), says(" A summary. ")])
    session = await sessions.create(model, "m", Person())
    await session.ask("The capital of France?")
    assert await session.summarise() == "A summary."
    asked = model.requests[-1]
    assert (len(asked.messages), asked.load_tools, len(session.messages)) == (1, None, 2)
    assert "Person: The capital of France?\\n\\nModel: Paris." in str(asked.messages[0])


async def test_a_model_that_says_nothing_gives_no_summary(sessions: AgentSessions) -> None:
    model = Scripted([says("Paris."), says(" ")])
    session = await sessions.create(model, "m", Person())
    await session.ask("The capital of France?")
    with pytest.raises(CompletionError, match="answered nothing"):
        await session.summarise()


def test_a_summary_of_much_begins_with_the_first_question_and_fits() -> None:
    messages = [UserMessage(f"question {n} {'x ' * 500}") for n in range(100)]
    question = summary_question(messages, 8_000)
    assert text_tokens(question) < 4_000 + text_tokens(SUMMARISE) + 100
    assert "question 0 " in question
    assert "question 99 " in question
    assert "question 50 " not in question
    assert "[…]" in question


def test_names_are_read_back_and_nothing_else_is() -> None:
    assert place_of(name_of(12, 3)) == (12, 3)
    for other in ("r1", "m", "m1", "m1.", "m.1", "m-1.0", "m1.0.0", "1.0", f"m{'1' * 999}.0"):
        assert place_of(other) is None


def test_a_letter_of_chinese_is_a_token() -> None:
    assert text_tokens("a" * 700) == 200
    assert text_tokens("汉" * 100) == 100
