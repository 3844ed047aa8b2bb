"""What a conversation is told of its tools does not change under it, whatever its servers do.

Recorded over each of the four wires: every request begins with the whole of the one before, with
`system` and `tools`; and by the rule by which Anthropic refuses thinking beside other tools.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.chat.agent import session_tools
from desktop.features.chat.agent.events import NoticePosted
from desktop.features.chat.agent.kept_tools import MAX_STORED_LENGTH, KeptTools, ToolChanges
from desktop.features.chat.agent.loop import THINKING_DROPPED
from desktop.features.chat.agent.session import NEW_TOOLS
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.models.formats import ApiFormat
from desktop.values.tool_types import ToolDefinition
from tests.features.chat.agent.followed_session import PLAIN, closed, codes, followed, results
from tests.features.chat.llm.services.asking import service
from tests.features.models.loopback import gemini_content
from tests.features.models.loopback.bound_thinking import BoundThinking
from tests.features.models.loopback.script import Script, failing, turn
from tests.features.models.loopback.server import Loopback
from tests.live_servers import reached, stdio, until
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.chat.agent.sessions import AgentSessions

SYSTEM = "Be brief."
SEALED = {
    ApiFormat.OPENAI: "Let me think.",
    ApiFormat.OPENAI_RESPONSES: "sealed_0",
    ApiFormat.ANTHROPIC: "signed_0",
    ApiFormat.GEMINI: gemini_content.signature(turn()),
}
GROWING = {
    ApiFormat.OPENAI: "messages",
    ApiFormat.OPENAI_RESPONSES: "input",
    ApiFormat.ANTHROPIC: "messages",
    ApiFormat.GEMINI: "contents",
}


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def assert_prefixes(script: Script, api_format: ApiFormat) -> None:
    """Each request is the one before, and more behind it."""
    growing = GROWING[api_format]
    bodies = [request.body for request in script.requests]
    for before, after in pairwise(bodies):
        said: list[Any] = before.pop(growing)
        assert after[growing][: len(said)] == said
        assert len(after[growing]) > len(said)
        assert {**after, growing: None} == {**before, growing: None}


def thinks(text: str = "", *calls: tuple[str, Any]) -> Any:
    return turn(text, calls, thinking="Let me think.")


def big(size: int) -> Any:
    return thinks("", ("plain__big", {"bytes": size}))


async def changed(session: AgentSession, **keys: tuple[str, ...]) -> None:
    """Wait until the server's list, read again, differs so."""
    wanted = ToolChanges(**keys)
    await until(session.tools.registry.changed, lambda: session.tools.changes() == wanted)


ADDED = ("mcp__list_changes__add_tool", {"name": "added"})


@asynccontextmanager
async def begun(
    api_format: ApiFormat, loopback: Loopback, sessions: AgentSessions
) -> AsyncGenerator[AgentSession]:
    async with service(api_format, loopback) as asked:
        made = await sessions.create(asked, "model-x", Person(), builtins=PLAIN, system=SYSTEM)
        yield made
        await made.close()


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_requests_are_prefixes_of_each_other_whatever_becomes_of_the_tools(
    api_format: ApiFormat,
    sessions: AgentSessions,
    shared: SessionContext,
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A large result, `list_changed`, a late server, toggles, another choice, a run of the app."""
    monkeypatch.setattr(session_tools, "START_LIMIT", 0.05)
    script = Script([big(60_000), thinks("", ADDED), *map(thinks, ["one", "two", "three", "four"])])
    loopback.play(script)
    shared.service.add_server(stdio("list_changes"))
    await shared.service.connect_all()
    late = shared.service.add_server(stdio("slow_start", "--seconds", 0.3))
    shared.service.start("slow_start")
    async with service(api_format, loopback) as asked:
        session = await sessions.create(asked, "model-x", Person(), builtins=PLAIN, system=SYSTEM)
        assert (await session.ask("go")).text == "one"
        await reached(late, "connected")
        changing = shared.service.connection("list_changes")
        changing.reconfigure(changing.config.changed(disabled_tools=("echo",)))
        assert (await session.ask("and now?")).text == "two"
        session.choose(ToolChoice("off"))
        assert (await session.ask("without?")).text == "three"
        told = [tool.key for tool in session.tools.told()]
        reopened = await sessions.reopen(await closed(session), asked, Person())
        assert [tool.key for tool in reopened.tools.told()] == told
        assert (await reopened.ask("again?")).text == "four"
    assert script.is_done
    assert "read_result" in str(script.requests[0].body)
    assert_prefixes(script, api_format)


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_what_a_model_thought_goes_back_to_it_after_another_one_answered(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> None:
    """And to it alone."""
    calling = thinks("", ("plain__echo", {"message": "hi"}))
    script = Script([calling, turn("one"), turn("two"), turn("three")])
    loopback.play(script)
    another = next(each for each in ApiFormat if each is not api_format)
    async with begun(api_format, loopback, sessions) as session, service(another, loopback) as b:
        first = session.about
        await session.ask("go")
        session.use(b, "model-y")
        assert (await session.ask("and you?")).text == "two"
        assert session.about.model == "model-y"
        async with service(api_format, loopback) as a:
            session.use(a, first.model)
            assert (await session.ask("and now?")).text == "three"
    sealed = [SEALED[api_format] in request.raw.decode() for request in script.requests]
    assert sealed == [False, True, False, True]


async def test_a_late_server_and_new_tools_are_used_when_the_person_says_so(
    sessions: AgentSessions, shared: SessionContext, loopback: Loopback
) -> None:
    judge = BoundThinking([thinks("", ADDED), thinks("one"), thinks("two"), thinks("three")])
    loopback.play(judge)
    shared.service.add_server(stdio("list_changes"))
    await shared.service.connect_all()
    async with begun(ApiFormat.ANTHROPIC, loopback, sessions) as session:
        await session.ask("go")
        await changed(session, new=("list_changes:added",))
        words = "This conversation keeps the tools that it began with. New since then: "
        assert session.tools.changes().sentence == f"{words}list_changes:added."
        session.use_new_tools()
        assert not session.tools.changes()
        assert session.notices == [NEW_TOOLS]
        assert (await session.ask("and now?")).text == "two"
        assert (await session.ask("and then?")).text == "three"
    assert judge.is_done
    assert judge.refused == []
    assert "list_changes__added" in str(judge.requests[2].body["tools"])
    thoughts = [str(request.body).count("'signature'") for request in judge.requests]
    assert thoughts == [0, 1, 0, 1]


async def test_thinking_that_is_refused_is_left_out_once_and_the_person_reads_that(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    judge = BoundThinking([thinks("one"), thinks("two"), thinks("three")])
    loopback.play(judge)
    async with begun(ApiFormat.ANTHROPIC, loopback, sessions) as session:
        await session.ask("go")
        session.tools.recover(KeptTools(()))  # as with a converter of another version
        session.choose(session.tools.choice)
        told = followed(session)
        assert (await session.ask("and now?")).text == "two"
        assert told.count(NoticePosted(THINKING_DROPPED)) == 1
        assert (await session.ask("and then?")).text == "three"
        assert told.count(NoticePosted(THINKING_DROPPED)) == 1
        reopened_at = session.tools.since
        await session.close()
        loaded = await sessions.store.read(session.id)
        assert loaded.kept is not None
        assert loaded.kept.since == reopened_at > 0
        assert loaded.words == ""
    assert len(judge.refused) == 1


async def test_a_refusal_that_stays_is_told_with_what_to_do(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    words = "messages.1.content.0: Invalid `signature` in `thinking` block"

    script = Script([thinks("one"), failing(400, words), failing(400, words)])
    loopback.play(script)
    async with begun(ApiFormat.ANTHROPIC, loopback, sessions) as session:
        await session.ask("go")
        outcome = await session.ask("and now?")
    assert (outcome.end, outcome.kind) == ("failed", "thinking")
    assert "Start a new conversation." in outcome.error
    assert script.is_done


async def test_a_tool_that_went_answers_that_it_is_not_available_now(
    sessions: AgentSessions, shared: SessionContext, loopback: Loopback
) -> None:
    removes = ("mcp__list_changes__remove_tool", {"name": "echo"})
    echo = ("mcp__list_changes__echo", {"message": "hi"})
    script = [thinks("", removes), thinks("gone"), thinks("", echo), thinks("done")]
    judge = BoundThinking(script)
    loopback.play(judge)
    shared.service.add_server(stdio("list_changes"))
    await shared.service.connect_all()
    async with begun(ApiFormat.ANTHROPIC, loopback, sessions) as session:
        await session.ask("go")
        await changed(session, gone=("list_changes:echo",))
        assert (await session.ask("again")).text == "done"
        _, gone = results(session)
        assert gone.error is not None
        assert '"list_changes:echo" is not available now' in gone.error.message
        assert len(codes(session)) == 2
    assert judge.refused == []


async def test_a_conversation_without_tools_is_told_of_none(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    script = Script([turn("hello")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "m", Person())
        await session.ask("hi")
        assert session.tools.told() == []
    assert "tools" not in script.requests[0].body


async def test_tools_can_be_chosen_until_the_model_has_answered(
    sessions: AgentSessions, loopback: Loopback
) -> None:

    script = Script([failing(400, "prompt is too long"), turn("fine")])
    loopback.play(script)
    async with begun(ApiFormat.OPENAI, loopback, sessions) as session:
        assert (await session.ask("go")).kind == "context"
        plain = next(iter(session.tools.connections))
        plain.reconfigure(plain.config.changed(disabled_tools=("big",)))
        assert (await session.ask("again")).text == "fine"
    assert "plain__big" in str(script.requests[0].body["tools"])
    assert "plain__big" not in str(script.requests[1].body["tools"])


def test_more_than_a_file_should_hold_is_not_stored() -> None:
    tool = ToolDefinition("s", "t", description="x" * MAX_STORED_LENGTH)
    assert KeptTools.from_json(KeptTools((tool,), 3).to_json()) is None
    small = KeptTools((ToolDefinition("s", "t", "T", "D", input_schema={"type": "object"}),), 3)
    assert KeptTools.from_json(small.to_json()) == small


def test_a_change_of_what_the_model_is_told_is_a_change_and_no_other() -> None:
    before = ToolDefinition("s", "t", description="old")
    kept = KeptTools((before, ToolDefinition("s", "same")))
    now = [ToolDefinition("s", "t", description="new"), ToolDefinition("s", "same", category="c")]
    assert kept.changes(now).changed == ("s:t",)
    assert "Changed: s:t." in kept.changes(now).sentence
    many = [ToolDefinition("s", f"n{number}") for number in range(9)]
    assert "… (9)" in kept.changes([*now, *many]).sentence
