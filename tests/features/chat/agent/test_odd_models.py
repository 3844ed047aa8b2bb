"""Whatever a model or its endpoint does, a person reads a sentence and a remedy, and goes on.

Each is bounded: by requests, by calls, by characters. Over the wire, with a real server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.chat.llm.services.limits import RequestLimits
from desktop.features.chat.llm.services.response import CUT, NOTE_GAP
from desktop.features.models.formats import ApiFormat
from tests.features.chat.agent.followed_session import PLAIN, assert_valid, codes, results
from tests.features.chat.llm.services.asking import service
from tests.features.models.loopback import (
    anthropic_messages,
    gemini_content,
    openai_chat,
    openai_responses,
)
from tests.features.models.loopback.exchange import EVENTS, Reply, Request, Turn
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.chat.agent.sessions import AgentSessions

PAGE = b"<!doctype html><title>Home Assistant</title>Sign in"
MESSAGE = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}}
HALF = turn("", [("plain__echo", '{"message": "hal')], stop="length")
ABSENT = turn("", [("plain__nothing", {})])
WIRES = (
    (ApiFormat.OPENAI, openai_chat.WIRE),
    (ApiFormat.OPENAI_RESPONSES, openai_responses.WIRE),
    (ApiFormat.ANTHROPIC, anthropic_messages.WIRE),
    (ApiFormat.GEMINI, gemini_content.WIRE),
)


def page(status: int) -> Reply:
    return Reply(pieces=[PAGE], content_type="text/html", status=status)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.mark.parametrize(
    ("played", "requests", "sentence", "remedy"),
    [
        (turn(""), 1, "The model answered nothing.", "choose another model"),
        (ABSENT, 5, "made the same call 5 times", "choose another model"),
        (HALF, 2, "output limit 2 times in a row", "Ask for less at a time"),
        (page(200), 1, "not an answer: a document of type text/html (Home Assi", "the address"),
        (page(404), 1, "refused the request: Home Assistant", "the address"),
        (page(502), 4, "failed: Home Assistant", "Try again later."),
        (Reply({"status": "ok"}), 1, "not an answer: a document of type", "the address"),
        (Reply({"detail": "Not Allowed"}, 405), 1, "refused the request: Not All", "the address"),
        (Reply(MESSAGE), 1, "a message of JSON-RPC, as MCP servers send it", "the address"),
        (Reply(MESSAGE, 400), 1, "a message of JSON-RPC, as MCP servers send it", "the address"),
    ],
    ids=["nothing", "absent", "half", *["page", "404", "502", "json", "405", "mcp", "mcp-400"]],
)
async def test_a_sentence_a_remedy_and_a_bound(
    played: Turn | Reply,
    requests: int,
    sentence: str,
    remedy: str,
    sessions: AgentSessions,
    loopback: Loopback,
) -> None:
    script = Script([played] * requests)
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "m", Person(), builtins=PLAIN)
        outcome = await session.ask("go")
        assert outcome.end in {"failed", "limit"}
        assert script.is_done
        assert sentence in outcome.error
        assert remedy in outcome.error
        loopback.play(Script([turn("fine")]))
        assert (await session.ask("and now?")).text == "fine"
    assert_valid(session)


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_of_a_thousand_calls_some_run_and_the_model_reads_of_the_others(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> None:
    calls = [("plain__echo", {"message": str(number)}) for number in range(1_000)]
    script = Script([turn("", calls), turn("I see.")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        session = await sessions.create(asked, "m", Person(), builtins=PLAIN)
        outcome = await session.ask("go")
    assert outcome.text == "I see.", outcome.error
    most = RequestLimits().calls
    assert len(results(session)) == most < len(calls)
    assert sum(code is None for code in codes(session)) == 16
    assert script.requests[1].raw.decode().count("Too many calls in one turn") == most - 16
    assert_valid(session)


@pytest.mark.parametrize(("api_format", "wire"), WIRES[:3])
async def test_ten_megabytes_of_arguments_are_not_called_the_models_limit(
    api_format: ApiFormat, wire: Any, sessions: AgentSessions, loopback: Loopback
) -> None:
    """Anthropic has counted one token by then."""
    call = turn("", [("plain__echo", '{"message": "A marker, long')])
    sent = flood(wire, call, b", long")
    endless = Reply(pieces=sent, content_type=EVENTS, ending="held")
    loopback.play(Script([endless, endless]))
    async with service(api_format, loopback) as asked:
        session = await sessions.create(asked, "m", Person(), builtins=PLAIN)
        outcome = await session.ask("go")
    assert outcome.kind == "length"
    assert "more than is taken of one answer 2 times" in outcome.error
    assert [result.success for result in results(session)] == [False, False]


def flood(wire: Any, played: Turn, mark: bytes) -> list[bytes]:
    """The events of a turn, up to a piece that ends with the mark, and ten megabytes of it."""
    events: list[bytes] = wire.stream(played, Request("", {}, b'{"model": "m"}'))
    piece = next(event for event in events if mark in event)
    return [*events[: events.index(piece)], *[piece.replace(mark, b"word " * 20_000)] * 100]


@pytest.mark.parametrize(("api_format", "wire"), WIRES)
async def test_of_ten_megabytes_the_beginning_is_kept_and_the_person_reads_that(
    api_format: ApiFormat, wire: Any, sessions: AgentSessions, loopback: Loopback
) -> None:
    """It is left off as soon as it is too long: nothing waits for the rest."""
    sent = flood(wire, turn("A marker, long."), b"r, long")
    loopback.play(Script([Reply(pieces=sent, content_type=EVENTS, ending="held"), turn("fine")]))
    async with service(api_format, loopback) as asked:
        session = await sessions.create(asked, "m", Person())
        outcome = await session.ask("go")
        assert (outcome.end, outcome.stop) == ("done", "length")
        note = f"{NOTE_GAP}[{CUT}]"
        assert outcome.text.endswith(note)
        assert len(outcome.text) == RequestLimits().characters + len(note)
        assert (await session.ask("and now?")).text == "fine"
