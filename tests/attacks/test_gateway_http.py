"""The gateway over HTTP: others on this machine, and clients that forget or look alike."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import httpx2
import mcp_types as types
from mcp.server.lowlevel.server import Server

from desktop.base.file_limit import raise_file_limit
from desktop.base.loopback_server import open_socket
from desktop.base.tasks import spawn
from desktop.config.gateway import GatewaySettings
from desktop.features.gateway.address import url_of
from desktop.features.gateway.server import http
from desktop.features.gateway.server.clients import Clients
from tests.cli.terminal import entry
from tests.features.gateway.cli.test_serve import FORM, asks, names
from tests.features.gateway.gateway_client import Person, Served, over_http, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import pytest

    from desktop.features.gateway.server.gateway import Gateway
    from tests.cli.terminal import Terminal
    from tests.conftest import ExpectedLogs

INITIALIZE = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    '"capabilities":{},"clientInfo":{"name":"forgets","version":"1"}}}'
)
INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
PING = '{"jsonrpc":"2.0","id":2,"method":"ping"}'


async def test_a_thousand_silent_connections_hold_up_no_client(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    async with over_http(terminal) as served:
        port = int(served.url.split(":")[2].split("/")[0])
        raise_file_limit()
        silent: list[socket.socket] = []
        try:
            while len(silent) < 1_100:
                connecting = asyncio.to_thread(socket.create_connection, ("127.0.0.1", port))
                silent.append(await connecting)
            async with served.client() as client:
                assert "mcp__plain__echo" in await names(client)
        finally:
            for one in silent:
                one.close()


@asynccontextmanager
async def bare_gateway() -> AsyncGenerator[Served]:
    """A server without tools, served as the gateway is."""

    async def no_tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[])

    server = Server("bare", on_list_tools=no_tools)
    clients = Clients(GatewaySettings)
    server.add_notification_handler(
        "notifications/initialized", types.NotificationParams, clients.join
    )
    gateway = SimpleNamespace(server=server, clients=clients)
    opened = open_socket(0)
    serving = spawn(http.serve_http(cast("Gateway", gateway), opened, "token"), "serve")
    try:
        yield Served(url_of(opened.getsockname()[1]), "token", cast("Any", None))
    finally:
        serving.cancel()
        await asyncio.wait({serving})


async def forgotten(served: Served, name: str = "forgets") -> tuple[int, str]:
    """Open a session and never come back; the status, and the session."""
    answer = await served.post(
        INITIALIZE.replace("forgets", name),
        Authorization="Bearer token",
        Accept="application/json, text/event-stream",
        Content_Type="application/json",
    )
    return answer.status_code, answer.headers.get("mcp-session-id", "")


async def status_of(served: Served, session: str, body: str = PING) -> int:
    answer = await served.post(
        body,
        Authorization="Bearer token",
        Accept="application/json, text/event-stream",
        Content_Type="application/json",
        Mcp_Session_Id=session,
    )
    return answer.status_code


async def test_a_session_that_was_forgotten_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_SESSIONS", 6)
    monkeypatch.setattr(http, "SPARE_SESSIONS", 2)
    monkeypatch.setattr(http, "CROWD_LIMIT", 0.0)
    async with bare_gateway() as served, served.client() as client:
        opened = [await forgotten(served) for _ in range(12)]
        assert {status for status, _ in opened} == {200}
        assert await names(client) == []
        left = [await status_of(served, session) for _, session in opened]
        assert left == sorted(left, reverse=True)  # the longest unused went first
        assert 2 <= left.count(200) <= 6


async def test_one_that_was_used_a_moment_ago_makes_none(
    monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("Refusing to open a new session")
    monkeypatch.setattr(http, "MAX_SESSIONS", 4)
    monkeypatch.setattr(http, "SPARE_SESSIONS", 2)
    monkeypatch.setattr(http, "CROWD_LIMIT", LIMIT)  # on a busy machine five take seconds
    async with bare_gateway() as served:
        opened = [await forgotten(served) for _ in range(5)]
        assert [status for status, _ in opened] == [200, 200, 200, 200, 503]
        assert await status_of(served, opened[0][1]) == 200


async def test_who_forgets_many_ends_its_own_and_no_other_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Faster than a session counts as unused: the room is that of the client which takes most."""
    monkeypatch.setattr(http, "MAX_SESSIONS", 12)
    monkeypatch.setattr(http, "SPARE_SESSIONS", 6)
    monkeypatch.setattr(http, "CROWD_LIMIT", 0.0)

    async def forget_some(served: Served) -> None:
        for _ in range(10):
            status, session = await forgotten(served)
            assert status == 200
            assert await status_of(served, session, INITIALIZED) == 202

    async with bare_gateway() as served:
        _, quiet = await forgotten(served, "quiet")
        assert await status_of(served, quiet, INITIALIZED) == 202
        await asyncio.gather(*(forget_some(served) for _ in range(4)))
        assert await status_of(served, quiet) == 200


async def test_a_stream_that_is_to_go_on_after_an_event_is_answered() -> None:
    async with bare_gateway() as served:
        _, session = await forgotten(served)
        headers = {
            "Authorization": "Bearer token",
            "Accept": "text/event-stream",
            "Mcp-Session-Id": session,
            "Last-Event-ID": "7",
        }
        async with (
            httpx2.AsyncClient(timeout=LIMIT) as client,
            client.stream("GET", served.url, headers=headers) as answer,
        ):
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")


@dataclass
class Slow(Person):
    """Thinks about the first question until `gate` is set."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def elicit(self, _: Any, params: Any) -> Any:
        self.asked.append(params)
        if len(self.asked) == 1:
            async with asyncio.timeout(LIMIT):
                await self.gate.wait()
        return self.answer

    @property
    def questions(self) -> set[str]:
        return {params.message for params in self.asked}


async def test_of_two_clients_with_one_name_none_gets_the_question_of_the_other(
    terminal: Terminal,
) -> None:
    """Two windows of one editor, of the protocol that knows no connections."""
    terminal.configure(asks=entry("asks_client", "--era", "modern"))
    yes = types.ElicitResult(action="accept", content={"name": "Ada"})
    alice, bob = Slow(answer=yes), Slow(answer=yes)

    def question(whose: str) -> dict[str, Any]:
        return asks("elicitation/create", {**FORM, "message": whose}) | {"rounds": 2}

    async with (
        over_http(terminal) as served,
        served.client(person=alice, name="same", mode="2026-07-28") as first,
        served.client(person=bob, name="same", mode="2026-07-28") as second,
    ):
        of_alice = spawn(first.call_tool("mcp__asks__ask", question("Alice?")), "Alice")
        await until(lambda: alice.asked)
        of_bob = spawn(second.call_tool("mcp__asks__ask", question("Bob?")), "Bob")
        await until(lambda: bob.asked or of_bob.done())
        alice.gate.set()
        await until(lambda: of_alice.done() or len(bob.asked) > 1 or len(alice.asked) > 1)
        bob.gate.set()
        await asyncio.wait({of_alice, of_bob}, timeout=LIMIT)
    assert alice.questions == {"Alice?"}
    assert bob.questions <= {"Bob?"}
