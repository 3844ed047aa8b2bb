"""Servers at a URL, over both transports: reached, called, lost, found again; nothing leaks."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from desktop.servers import connection as module
from desktop.tool_types import ErrorCode
from tests.live_servers import LIMIT, connected, error_of, names, reached
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import ExpectedLogs

TRANSPORTS = ("http", "sse")
SECRET = "Bearer do-not-write-this-down"


@pytest.fixture(params=TRANSPORTS)
def web(request: pytest.FixtureRequest) -> Iterator[WebServer]:
    with WebServer(request.param) as server:
        yield server


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_it_is_reached_listed_and_called(web: WebServer, era: str) -> None:
    async with connected(web.config(era=era)) as connection:
        assert connection.is_connected, connection.state.error
        assert names(connection) == ["echo", "pid", "big", "header", "crash"]
        assert connection.about.instructions == "A server at a URL."
        assert connection.pid is None
        calls = (connection.call_tool("echo", {"message": str(n)}) for n in range(20))
        assert [one.output for one in await asyncio.gather(*calls)] == [str(n) for n in range(20)]


async def test_headers_are_sent_and_never_logged(
    web: WebServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected(web.config(headers={"Authorization": SECRET})) as connection:
        assert (await connection.call_tool("header", {"name": "authorization"})).output == SECRET
    ours = [one.getMessage() for one in caplog.records if one.name.startswith("desktop")]
    assert not [text for text in ours if SECRET in text]


async def test_a_failed_call_does_not_log_the_headers(
    web: WebServer, caplog: pytest.LogCaptureFixture, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    async with connected(web.config(headers={"Authorization": SECRET})) as connection:
        web.kill()
        error_of(await connection.call_tool("echo", {"message": "hi"}, timeout=5))
    assert SECRET not in caplog.text


async def test_a_path_that_is_not_there_fails_and_speaks_of_the_url(
    web: WebServer, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    async with connected(web.config("/wrong")) as connection:
        assert connection.state.phase == "failed"
        assert "its address answers 404 Not Found" in connection.state.error
        assert "Check its URL" in connection.state.error
        assert "stderr" not in connection.state.error


async def test_a_server_that_died_is_noticed_at_the_next_call_and_found_again(
    web: WebServer, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.3)
    async with connected(web.config()) as connection:
        first = (await connection.call_tool("pid", {})).output
        web.kill()
        async with asyncio.timeout(LIMIT):
            code, _ = error_of(await connection.call_tool("echo", {"message": "hi"}))
        assert code == ErrorCode.UNREACHABLE
        with web.started_again():
            await reached(connection, "connected")
            assert (await connection.call_tool("pid", {})).output != first


async def test_a_server_that_was_replaced_between_calls_is_found_again(
    web: WebServer, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.1)
    async with connected(web.config(era="legacy")) as connection:
        first = (await connection.call_tool("pid", {})).output
        web.kill()
        with web.started_again():
            async with asyncio.timeout(LIMIT):
                while (result := await connection.call_tool("pid", {})).is_error:
                    assert error_of(result)[0] == ErrorCode.UNREACHABLE
                    await reached(connection, "connected")
            assert result.output != first


async def test_a_server_that_dies_in_a_call_is_unreachable(
    web: WebServer, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    async with connected(web.config()) as connection:
        async with asyncio.timeout(LIMIT):
            code, message = error_of(await connection.call_tool("crash", {}))
        assert code == ErrorCode.UNREACHABLE
        assert "may have had effects" in message


async def test_a_large_result_arrives_whole_over_http() -> None:
    with WebServer("http") as server:
        async with connected(server.config()) as connection:
            result = await connection.call_tool("big", {"size": 5_000_000})
            assert len(result.output) == 5_000_000, result.error


async def test_a_server_that_never_answers_fails_in_time_and_can_be_stopped() -> None:
    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(swallow, "127.0.0.1", 0)
    async with silent:
        port = silent.sockets[0].getsockname()[1]
        for transport in TRANSPORTS:
            url = f"http://127.0.0.1:{port}/mcp"
            config = ServerConfig.checked(
                name="mute", transport=transport, url=url, connect_timeout=1
            )
            async with connected(config) as connection:
                assert "did not answer within 1 s" in connection.state.error
                connection.start()
                await connection.disconnect()
                assert connection.state.phase == "stopped"
