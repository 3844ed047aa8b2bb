"""A server at a URL that is away is tried again for as long as it takes, and at once when asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.servers import connection as module
from desktop.servers.connection import RETRIES
from desktop.servers.retry_pause import Pauses
from desktop.values.tool_types import ErrorCode
from tests.http_stub import TEXT, Answer, serving
from tests.live_servers import connected, error_of, names, reached, surroundings, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from desktop.servers.connection import ServerConnection
    from tests.conftest import ExpectedLogs
    from tests.http_stub import StubServer

AWAY = Answer(503, b"", TEXT)
HOUR = 3600.0


@pytest.fixture(autouse=True)
def _logs(expected_logs: ExpectedLogs) -> None:
    expected_logs.allow("mcp")


def reaching(stub: StubServer) -> AbstractAsyncContextManager[ServerConnection]:
    """Quick attempts come without pauses, slow ones with such that no test waits for their end."""
    pauses = Pauses(first=0.001, first_slow=HOUR, longest=HOUR)
    return connected(stub.config(), surroundings(pauses=pauses))


async def lose(stub: StubServer, connection: ServerConnection) -> None:
    """Let a connected server go away, until it is tried slowly."""
    stub.sessions.clear()
    stub.refuse = lambda request: Answer(404 if "mcp-session-id" in request.headers else 503)
    await connection.call_tool("echo", {})
    await until(connection.state_changed, lambda: connection.state.next_attempt)


async def test_a_server_that_is_away_for_long_has_not_failed_and_says_when_it_is_tried() -> None:
    async with serving() as stub, reaching(stub) as connection:
        await lose(stub, connection)
        assert connection.state.phase == "reconnecting"
        assert connection.state.attempt == RETRIES + 1
        assert connection.state.words == (
            f"reconnecting (next attempt at {connection.state.next_attempt})"
        )
        assert "503 Service Unavailable" in connection.state.error


async def test_a_call_tries_a_server_that_is_away_at_once_and_is_carried_out_if_it_is_back() -> (
    None
):
    async with serving() as stub, reaching(stub) as connection:
        await lose(stub, connection)
        assert names(connection) == ["echo"]  # so that it can be called
        stub.refuse = lambda _: None
        async with asyncio.timeout(LIMIT):
            assert (await connection.call_tool("echo", {})).output == "session-2"
        assert connection.is_connected


async def test_a_call_to_a_server_that_stays_away_says_why_in_one_sentence() -> None:
    async with serving() as stub, reaching(stub) as connection:
        await lose(stub, connection)
        asked = len(stub.seen)
        async with asyncio.timeout(LIMIT):
            code, message = error_of(await connection.call_tool("echo", {}))
        assert code == ErrorCode.UNREACHABLE
        assert message == (
            "web: its address answered 503 Service Unavailable\n"
            "Check the URL, and that the server is running there."
        )
        assert len(stub.seen) > asked  # it was tried
        assert connection.state.next_attempt  # and is tried again


async def test_a_person_who_starts_it_does_not_wait_for_the_next_attempt() -> None:
    async with serving() as stub, reaching(stub) as connection:
        await lose(stub, connection)
        stub.refuse = lambda _: None
        connection.start()
        await reached(connection, "connected")


async def test_the_pauses_grow_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    class Quick(module.RetryPause):
        async def wait(self, seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) > 40:
                await super().wait(HOUR)

    monkeypatch.setattr(module, "RetryPause", Quick)
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: Answer(404 if "mcp-session-id" in request.headers else 503)
        await connection.call_tool("echo", {})
        await until(connection.state_changed, lambda: len(pauses) > 40)
    assert pauses[:11] == [0.5, 1, 2, 4, 8, 30, 60, 120, 240, 300, 300]
    assert set(pauses[10:41]) == {300}


async def test_a_server_that_was_not_there_at_first_has_failed_and_is_tried_slowly() -> None:
    async with serving() as stub:
        stub.refuse = lambda _: AWAY
        async with reaching(stub) as connection:
            assert connection.state.phase == "failed"
            assert connection.state.next_attempt
            assert connection.tools == ()
            stub.refuse = lambda _: None
            await connection.connect()
            assert connection.is_connected


async def test_a_call_tries_a_server_that_has_failed() -> None:
    async with serving() as stub:
        stub.refuse = lambda _: AWAY
        async with reaching(stub) as connection:
            stub.refuse = lambda _: None
            async with asyncio.timeout(LIMIT):
                assert (await connection.call_tool("echo", {})).output == "session-1"


async def test_a_server_that_refuses_who_asks_is_not_asked_again_by_itself() -> None:
    async with serving() as stub:
        stub.refuse = lambda _: Answer(401)
        async with reaching(stub) as connection:
            assert connection.state.phase == "failed"
            assert connection.state.next_attempt == ""
            assert not connection.is_running


async def test_a_server_that_is_away_can_be_switched_off() -> None:
    async with serving() as stub, reaching(stub) as connection:
        await lose(stub, connection)
        async with asyncio.timeout(LIMIT):
            await connection.disconnect()
        assert connection.state.phase == "stopped"
        asked = len(stub.seen)
        code, message = error_of(await connection.call_tool("echo", {}))
        assert code == ErrorCode.UNREACHABLE
        assert message == "web is not connected (stopped). Switch it on or restart it."
        assert len(stub.seen) == asked
