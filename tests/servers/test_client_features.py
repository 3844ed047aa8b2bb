"""What a server asks its client reaches the person and comes back, in both eras."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn
from desktop.servers.requests import (
    MAX_PER_SERVER,
    MAX_TOKENS,
    Accepted,
    Declined,
    Dismissed,
    ElicitationRequest,
    SamplingAnswer,
    SamplingMessage,
    SamplingRequest,
    ServerRequests,
    ToolOutcome,
    ToolUse,
    UrlElicitationRequest,
)
from desktop.values.tool_types import Content
from tests.live_servers import connected, error_of, stdio, surroundings, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.connection import ServerConnection
    from desktop.servers.requests import Answer, End, PendingRequest

FORM: dict[str, Any] = {
    "message": "Who?",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "password": {"type": "string"}},
    },
}
POEM: dict[str, Any] = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "a poem"}}],
    "maxTokens": 50,
}
NESTED: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}}},
}
ERAS = pytest.mark.parametrize("era", ["legacy", "modern"])


class Server:
    """A connection to a server that asks, and the person's side of it."""

    def __init__(self, connection: ServerConnection, requests: ServerRequests) -> None:
        self.connection = connection
        self.requests = requests
        self.notices: list[str] = []
        requests.notice_posted.connect(lambda _, text: self.notices.append(text))

    async def call(self, tool: str, timeout: float = 20, **arguments: Any) -> Any:
        result = await self.connection.call_tool(tool, arguments, timeout=timeout)
        assert result.success, result.error
        return json.loads(result.output)

    async def ask(self, method: str, params: Any, **more: Any) -> Any:
        return await self.call("ask", method=method, params=params, **more)

    def answer(self, *answers: Answer) -> list[PendingRequest]:
        """Give these answers, one after the other; returns what was asked."""
        asked: list[PendingRequest] = []

        def answerer(pending: PendingRequest) -> Answer:
            asked.append(pending)
            return answers[(len(asked) - 1) % len(answers)]

        self.requests.answerer = answerer
        return asked

    async def first(self) -> PendingRequest:
        """Wait for a request that nobody answers by itself."""
        await until(self.requests.added, lambda: self.requests.pending)
        return self.requests.pending[0]


@asynccontextmanager
async def asking(era: str = "legacy") -> AsyncGenerator[Server]:
    config = stdio("asks_client", "--era", era, era="2026-07-28" if era == "modern" else "legacy")
    requests = ServerRequests()
    requests.answerer = lambda _: None
    async with connected(config, surroundings(requests=requests)) as connection:
        assert connection.is_connected, connection.state
        yield Server(connection, requests)
    assert requests.pending == ()


@ERAS
async def test_a_server_is_told_that_its_client_can_all(era: str) -> None:
    async with asking(era) as server:
        declared = await server.call("declared")
    assert declared["elicitation"] == {"form": {}, "url": {}}
    assert declared["sampling"] == {"tools": {}}
    assert "roots" in declared


@ERAS
async def test_a_form_is_asked_with_a_warning_and_answered(era: str) -> None:
    async with asking(era) as server:
        asked = server.answer(Accepted({"name": "Ada"}), Declined(), Dismissed())
        accepted = await server.ask("elicitation/create", FORM)
        declined = await server.ask("elicitation/create", FORM)
        dismissed = await server.ask("elicitation/create", FORM)
    request = ElicitationRequest("Who?", FORM["requestedSchema"], ("password",))
    assert {each.server for each in asked} == {"asks_client"}
    assert asked[0].request == request
    assert accepted == [{"action": "accept", "content": {"name": "Ada"}}]
    assert declined == [{"action": "decline"}]
    assert dismissed == [{"action": "cancel"}]


@ERAS
async def test_an_address_is_asked_about_with_its_host_and_answered(era: str) -> None:
    params = {"mode": "url", "message": "Go", "url": "https://paypal.com.evil.example/a?b"}
    if era == "legacy":
        params["elicitationId"] = "e"
    async with asking(era) as server:
        asked = server.answer(Accepted())
        assert await server.ask("elicitation/create", params) == [{"action": "accept"}]
    request = asked[0].request
    assert isinstance(request, UrlElicitationRequest)
    assert (request.url, request.host) == (params["url"], "paypal.com.evil.example")
    assert [danger.kind for danger in request.dangers] == ["lookalike"]
    assert request.elicitation_id == params.get("elicitationId", "")


@ERAS
async def test_a_prompt_for_a_model_is_asked_whole_and_answered(era: str) -> None:
    params = POEM | {
        "maxTokens": 10**9,
        "systemPrompt": "Be brief.",
        "temperature": 0.5,
        "stopSequences": ["."],
        "modelPreferences": {"hints": [{"name": "small"}, {}], "costPriority": 1},
        "includeContext": "thisServer",
    }
    async with asking(era) as server:
        asked = server.answer(
            SamplingAnswer((Content("text", "ro"), Content("text", "ses")), "m", "maxTokens")
        )
        answered = await server.ask("sampling/createMessage", params)
    assert asked[0].request == SamplingRequest(
        (SamplingMessage("user", (Content("text", "a poem"),)),),
        MAX_TOKENS,
        system="Be brief.",
        temperature=0.5,
        stop_sequences=(".",),
        hints=("small",),
        priorities={"cost": 1},
        context="thisServer",
    )
    text = {"type": "text", "text": "roses"}
    assert answered == [
        {"role": "assistant", "content": text, "model": "m", "stopReason": "maxTokens"}
    ]


@ERAS
async def test_a_prompt_with_tools_gets_the_calls_that_a_model_wants(era: str) -> None:
    use = {"type": "tool_use", "id": "1", "name": "add", "input": {"a": 1}}
    image = {"type": "image", "data": "AAEC", "mimeType": "image/png"}
    result = {"type": "tool_result", "toolUseId": "1", "isError": True}
    params = {
        "maxTokens": 5,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "add"}, image]},
            {"role": "assistant", "content": use},
            {"role": "user", "content": result | {"content": [{"type": "text", "text": "no"}]}},
        ],
        "tools": [{"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}}],
        "toolChoice": {"mode": "required"},
    }
    async with asking(era) as server:
        asked = server.answer(SamplingAnswer((ToolUse("2", "add", {"a": 2}),), "m", "toolUse"))
        (answered,) = await server.ask("sampling/createMessage", params)
    request = asked[0].request
    assert isinstance(request, SamplingRequest)
    assert [message.blocks for message in request.messages] == [
        (Content("text", "add"), Content("image", data=b"\0\1\2", mime="image/png")),
        (ToolUse("1", "add", {"a": 1}),),
        (ToolOutcome("1", (Content("text", "no"),), is_error=True),),
    ]
    (tool,) = request.tools
    assert (tool.key, tool.description, request.tool_choice) == (
        "asks_client:add",
        "Adds.",
        "required",
    )
    assert answered["content"] == [use | {"id": "2", "input": {"a": 2}}]
    assert answered["stopReason"] == "toolUse"


async def test_a_refused_prompt_tells_the_server_why_and_the_call_goes_on() -> None:
    async with asking() as server:
        server.answer(Declined("no provider"))
        (refused,) = await server.ask("sampling/createMessage", POEM)
    assert refused == {"code": -1, "message": "User rejected sampling request: no provider"}


async def test_a_refused_prompt_ends_a_call_of_the_newest_era_with_the_reason() -> None:
    async with asking("modern") as server:
        server.answer(Dismissed())
        arguments = {"method": "sampling/createMessage", "params": POEM}
        result = await server.connection.call_tool("ask", arguments)
    assert "User rejected sampling request" in error_of(result)[1]


@ERAS
async def test_while_a_person_is_asked_the_limit_of_the_call_stands_still(era: str) -> None:
    async with asking(era) as server:
        session = server.connection.session
        assert session is not None
        far = asyncio.get_running_loop().time() + 1_000
        with session.timeouts.within(10) as limit:  # as the call has one
            call = spawn(server.ask("elicitation/create", FORM), "call")
            pending = await server.first()
            assert not limit.fall_due(far)
            server.requests.answer(pending.id, Accepted({"name": "Ada"}))
            assert (await call)[0]["action"] == "accept"
            assert limit.fall_due(far)


@ERAS
@pytest.mark.parametrize("method", ["elicitation/create", "sampling/createMessage"])
async def test_a_flood_of_a_thousand_requests_is_bounded_and_the_call_ends(
    era: str, method: str
) -> None:
    async with asking(era) as server:
        arguments = {
            "method": method,
            "params": FORM if method.startswith("e") else POEM,
            "count": 1_000,
        }
        call = spawn(server.connection.call_tool("ask", arguments), "flood")
        await until(server.requests.notice_posted, lambda: server.notices)
        if not (era == "modern" and method.startswith("s")):  # there the first refusal ends it
            assert len(server.requests.pending) == MAX_PER_SERVER
        asked = server.answer(Declined())
        for pending in server.requests.pending:
            server.requests.answer(pending.id, Declined())
        async with asyncio.timeout(LIMIT):
            await call
        assert len(asked) < 1_000
        assert len(server.notices) == len(set(server.notices)) <= 2
        server.answer(Accepted({}))
        assert await server.ask("elicitation/create", FORM) == [{"action": "accept", "content": {}}]


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        (
            "sampling/createMessage",
            POEM | {"systemPrompt": "x" * 10_000_000},
            "more than 4000000 characters",
        ),
        (
            "elicitation/create",
            {"message": "m", "requestedSchema": NESTED},
            'the field "a" is an object',
        ),
        (
            "elicitation/create",
            {"mode": "url", "message": "m", "url": "file:///etc/passwd", "elicitationId": "e"},
            "the address is not a web address",
        ),
    ],
)
async def test_what_may_not_be_asked_is_declined_said_and_the_server_goes_on(
    method: str, params: Any, words: str
) -> None:
    async with asking() as server:
        (answer,) = await server.ask(method, params)
        assert answer.get("action") == "decline" or answer.get("code") == -1
        (notice,) = server.notices
        assert words in notice
        server.answer(Accepted({}))
        assert await server.ask("elicitation/create", FORM) == [{"action": "accept", "content": {}}]


async def test_a_request_that_its_server_cancels_is_withdrawn() -> None:
    async with asking() as server:
        ends: list[End] = []
        server.requests.removed.connect(lambda _, end: ends.append(end))
        call = spawn(
            server.connection.call_tool("forget", {"method": "elicitation/create", "params": FORM}),
            "call",
        )
        await until(server.requests.removed, lambda: ends)
        assert ends == ["withdrawn"]
        assert (await call).output == "forgotten"


@ERAS
async def test_a_request_whose_call_is_cancelled_or_session_ends_is_withdrawn(era: str) -> None:
    async with asking(era) as server:
        arguments = {"method": "elicitation/create", "params": FORM}
        call = spawn(server.connection.call_tool("ask", arguments), "call")
        pending = await server.first()
        ends: list[End] = []
        server.requests.removed.connect(lambda _, end: ends.append(end))
        if era == "modern":
            call.cancel()
            await asyncio.wait({call})
        else:
            await server.connection.disconnect()
            await asyncio.wait({call})
        assert ends == ["withdrawn"]
        with pytest.raises(UsageError, match="This request is no longer open"):
            server.requests.answer(pending.id, Accepted({}))


async def test_a_server_that_asks_back_for_ever_is_stopped() -> None:
    async with asking("modern") as server:
        asked = server.answer(Accepted({}))
        arguments = {"method": "elicitation/create", "params": FORM, "rounds": 1_000}
        result = await server.connection.call_tool("ask", arguments)
    assert len(asked) == 10
    assert error_of(result)[1] == "asks_client:ask: it sent more than 10 requests of its own"


async def test_a_call_that_needs_an_address_visited_is_made_after_the_visit() -> None:
    async with asking() as server:
        asked = server.answer(Accepted())
        result = await server.connection.call_tool("url", {"url": "https://a.example/in"})
        assert result.output == "visited"
    request = asked[0].request
    assert isinstance(request, UrlElicitationRequest)
    assert (request.url, request.blocks_call, len(asked)) == ("https://a.example/in", True, 1)


async def test_a_call_is_made_as_soon_as_the_server_says_that_the_visit_is_over() -> None:
    async with asking() as server:
        arguments = {"url": "https://a.example/in", "complete": True}
        result = await server.connection.call_tool("url", arguments)
        assert result.output == "visited"


@pytest.mark.parametrize(
    ("answer", "never", "visits"), [(Declined(), False, 1), (Accepted(), True, 3)]
)
async def test_a_call_without_the_visit_says_what_the_server_said(
    answer: Answer, never: bool, visits: int
) -> None:
    async with asking() as server:
        asked = server.answer(answer)
        arguments = {"url": "https://a.example/in", "never": never}
        result = await server.connection.call_tool("url", arguments)
        assert "sign in first (code -32042)" in error_of(result)[1]
    assert len(asked) == visits
