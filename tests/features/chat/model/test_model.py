"""An agent session with a real model: `make model`, and weekly on GitHub.

SmolLM2 of 135 million parameters in a server of its own, asked by the app's own provider code. What
it says is a small model's; what is told of it, sent to it and kept of it has to be right.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.tasks import spawn
from desktop.config.providers import checked
from desktop.features.chat.agent.events import NoticePosted
from desktop.features.chat.agent.limits import SessionLimits
from desktop.features.chat.agent.loop import ROOM_MADE
from desktop.features.chat.agent.message_tree import ROOT
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.llm.completion import TextDelta
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import make_service
from desktop.features.models.messages import Image
from desktop.tools.approvals import ApprovalResponse
from tests.features.chat.agent.conftest import config_of
from tests.features.chat.agent.followed_session import (
    CALCULATOR,
    assert_valid,
    closed,
    followed,
    results,
)
from tests.features.chat.model.engine import NAME, running
from tests.features.chat.model.forcing import Call, Forcing
from tests.features.models.answer_cases import PNG
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.chat.agent.sessions import AgentSessions
    from desktop.features.chat.llm.completion import CompletionService

pytestmark = [pytest.mark.process, pytest.mark.timeout(2_400)]
CONTEXT, WIDE = 4_096, 8_192
CALLS = 30


@asynccontextmanager
async def asking(url: str, **settings: Any) -> AsyncGenerator[CompletionService]:
    """The app's own service for the server at this address."""
    fields = {"name": "small", "kind": "openai", "baseUrl": f"{url}/v1", **settings}
    service = make_service(checked(fields), Keys({}))
    try:
        yield service
    finally:
        await service.close()


@asynccontextmanager
async def forced(context: int = CONTEXT) -> AsyncGenerator[tuple[Forcing, CompletionService]]:
    async with running(context) as engine:
        with Forcing(engine.url) as proxy:
            async with asking(proxy.url) as service:
                yield proxy, service


def notices(told: Sequence[AgentEvent]) -> list[str]:
    return [str(event.sentence) for event in told if isinstance(event, NoticePosted)]


async def test_a_plain_answer_comes_in_pieces_and_the_window_is_known(
    sessions: AgentSessions, figures: list[str]
) -> None:
    async with running(CONTEXT) as engine, asking(engine.url) as service:
        assert await service.list_models() == [NAME]
        assert service.window(NAME) == CONTEXT
        session = await sessions.create(service, NAME, Person())
        told = followed(session)
        outcome = await session.ask("What is the capital of France?")
    assert outcome.end == "done", outcome.error
    assert "Paris" in outcome.text
    pieces = [event for event in told if isinstance(event, TextDelta)]
    assert len(pieces) > 1
    figures.append(f"window {service.window(NAME)}, {len(pieces)} pieces, said {outcome.text!r}")


async def test_a_template_without_room_for_tools_is_told(
    sessions: AgentSessions, figures: list[str]
) -> None:
    async with running(CONTEXT) as engine, asking(engine.url) as service:
        session = await sessions.create(service, NAME, Person(), builtins=CALCULATOR)
        told = followed(session)
        outcome = await session.ask("What is 7 times 7?")
    assert outcome.end == "done", outcome.error
    said = [each for each in notices(told) if "is not given your tools" in each]
    assert len(said) == 1
    figures.append(f"told {said[0]!r}")


async def test_three_builtin_servers_are_called_each_after_a_yes(
    sessions: AgentSessions, tmp_path: Path, figures: list[str]
) -> None:
    """The arguments are the model's own, and fit the schema."""
    (tmp_path / "notes.txt").write_text("milk")
    plan = ["calculator__calculate", "time__get_current_time", "filesystem__list_directory"]
    person = Person()
    builtins = [*CALCULATOR, Builtin("time"), Builtin("filesystem", (str(tmp_path),))]
    async with forced(WIDE) as (proxy, service):
        proxy.plan = list(map(Call, plan))
        session = await sessions.create(service, NAME, person, builtins=builtins)
        outcome = await session.ask("Add 12 and 30. Then the time. Then list the folder.")
        await session.close()
    assert outcome.end == "done", outcome.error
    assert [q.definition.key.replace(":", "__") for q in person.questions] == plan
    assert_valid(session)
    assert results(session)[0].output == "42"
    asked = [json.dumps(question.arguments) for question in person.questions]
    figures.append(f"arguments {asked}, results {[r.success for r in results(session)]}")


async def test_a_denial_reaches_the_model_with_its_reason(
    sessions: AgentSessions, figures: list[str]
) -> None:
    person = Person(ApprovalResponse("deny", reason="Not before lunch."))
    async with forced() as (proxy, service):
        proxy.plan = [Call("calculator__calculate")]
        session = await sessions.create(service, NAME, person, builtins=CALCULATOR)
        outcome = await session.ask("Add 12 and 30.")
        await session.close()
    assert outcome.end == "done", outcome.error
    assert "Not before lunch." in proxy.asked[1]["messages"][-1]["content"]
    assert not results(session)[0].success
    figures.append(f"said {outcome.text[:80]!r}")


async def test_a_correction_is_what_ran_and_what_the_model_reads(
    sessions: AgentSessions, figures: list[str]
) -> None:
    sent = {"operation": "multiply", "a": 6, "b": 7}
    person = Person(ApprovalResponse("once", arguments=sent))
    async with forced() as (proxy, service):
        proxy.plan = [Call("calculator__calculate")]
        session = await sessions.create(service, NAME, person, builtins=CALCULATOR)
        outcome = await session.ask("Add 12 and 30.")
        assert outcome.end == "done", outcome.error
        reopened = await sessions.reopen(await closed(session), service, Person())
        await reopened.ask("Are you sure?")
    assert results(session)[0].output == "42"
    (result,) = [each for each in proxy.asked[-1]["messages"] if each["role"] == "tool"]
    first, second = result["content"].split("\n")
    assert "The person changed the arguments" in first
    assert json.loads(first[first.index("{") : first.rindex("}") + 1]) == sent
    assert second == "42"
    figures.append(f"read {first!r}, said {outcome.text[:60]!r}")


async def test_what_is_longer_than_the_window_ends_the_question_and_not_the_conversation(
    sessions: AgentSessions, figures: list[str]
) -> None:
    async with running(512) as engine, asking(engine.url) as service:
        session = await sessions.create(service, NAME, Person())
        outcome = await session.ask("word " * 600)
        assert (outcome.end, outcome.kind) == ("failed", "context")
        assert service.window(NAME) == 512
        again = await session.ask("What is the capital of France?", after=ROOT)
    assert again.end == "done", again.error
    figures.append(f"told {outcome.error!r}")


async def test_tools_that_do_not_fit_are_said_before_anything_is_sent(
    sessions: AgentSessions, tmp_path: Path, figures: list[str]
) -> None:
    async with forced(1_024) as (proxy, service):
        files = [Builtin("filesystem", (str(tmp_path),))]
        session = await sessions.create(service, NAME, Person(), builtins=files)
        outcome = await session.ask("List the folder.")
        await session.close()
    assert (outcome.end, outcome.kind, proxy.asked) == ("failed", "tools", [])
    assert "1,024" in outcome.error
    figures.append(f"told {outcome.error!r}")


async def test_a_picture_does_not_end_the_conversation(
    sessions: AgentSessions, figures: list[str]
) -> None:
    async with running(CONTEXT) as engine, asking(engine.url) as service:
        session = await sessions.create(service, NAME, Person())
        told = followed(session)
        first = await session.ask("What is it?", (Image(PNG, "image/png"),))
        second = await session.ask("And the capital of France?")
    assert (first.end, second.end) == ("done", "done"), first.error
    said = [each for each in notices(told) if "does not see pictures" in each]
    assert len(said) == 1
    figures.append(f"told {said[0]!r}")


async def test_a_server_that_is_killed_leaves_the_part_and_answers_when_it_is_back(
    sessions: AgentSessions, figures: list[str]
) -> None:
    async with running(CONTEXT) as engine:
        with Forcing(engine.url) as proxy:
            async with asking(proxy.url) as service:
                session = await sessions.create(service, NAME, Person())
                told = followed(session)
                begun = asyncio.Event()
                session.event_emitted.connect(
                    lambda event: begun.set() if isinstance(event, TextDelta) else None
                )
                work = spawn(session.ask("Write a long story about a fox."), "ask")
                await asyncio.wait_for(begun.wait(), 60)
                await engine.kill()
                outcome = await work
                gone = await session.ask("Go on.")
                async with running(CONTEXT) as another:
                    proxy.upstream = another.url.removeprefix("http://")
                    again = await session.ask("What is the capital of France?")
                await session.close()
    assert (outcome.end, outcome.kind) == ("failed", "connection")
    assert "".join(event.text for event in told if isinstance(event, TextDelta))
    assert gone.end == "failed"
    assert again.end == "done", again.error
    figures.append(f"told {outcome.error!r}, then {gone.error!r}, then {again.text[:40]!r}")


async def test_a_conversation_of_thirty_calls_is_shortened_and_goes_on(
    sessions: AgentSessions, shared: SessionContext, figures: list[str]
) -> None:
    """Nothing that is sent is longer than the engine's own count allows."""
    with TemporaryDirectory(prefix="n") as folder:
        notes = [Path(folder) / name for name in "abc"]
        for page in notes:
            page.write_text("The person bought apples, pears, plums and a very old book.\n" * 16)
        reads = [Call("mcp__filesystem__read_text_file", {"path": str(page)}) for page in notes]
        await only_reading(shared, folder)
        async with forced(WIDE) as (proxy, service):
            session = await sessions.create(service, NAME, Person())
            session.limits = SessionLimits(turns=CALLS + 5, seconds=850)
            told = followed(session)
            for _ in range(CALLS // len(reads)):
                proxy.plan = [*reads]
                outcome = await session.ask("What is in the three notes now?")
                assert outcome.end == "done", outcome.error
            summary = await session.summarise()
            await session.close()
    assert len(results(session)) == CALLS
    assert all(result.success for result in results(session))
    assert_valid(session)
    made = notices(told).count(str(ROOM_MADE))
    assert made >= 1
    assert proxy.refused == []
    assert max(proxy.counts) < WIDE
    assert summary
    figures.append(
        f"{len(results(session))} calls, room made {made} times, at most {max(proxy.counts)} of "
        f"{WIDE} tokens, summary {summary[:60]!r}"
    )


async def only_reading(shared: SessionContext, folder: str) -> None:
    """The filesystem server, connected, of whose tools one is on."""
    files = config_of(Builtin("filesystem", ("--read-only", folder))).changed(enabled=True)
    server = shared.service.add_server(files)
    await shared.service.connect_all()
    others = tuple(each.name for each in server.tools if each.name != "read_text_file")
    server.reconfigure(files.changed(disabled_tools=others))
