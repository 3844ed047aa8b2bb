"""Servers at a URL, over both transports: reached, called, lost, found again; nothing leaks.

Only what is on the wire is heard of HTTP, however it is packed; nothing of it is changed.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import zlib
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

from desktop.config.models import ServerConfig
from desktop.servers.message_log import MessageLog
from desktop.servers.retry_pause import Pauses
from desktop.servers.transport import http_transport
from desktop.values.tool_types import ErrorCode
from tests.live_servers import connected, error_of, names, reached, surroundings
from tests.patience import LIMIT
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from tests.conftest import ExpectedLogs

REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ANSWER = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}).encode()
EVENTS = (
    b": hello\r\nevent: endpoint\r\ndata: /messages\r\n\r\nid: 7\ndata: %s\n\ndata:\n\n" % ANSWER
)


class Pieces(httpx2.AsyncByteStream):
    """A body that comes a few bytes at a time."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self._body), 7):
            yield self._body[at : at + 7]


async def exchange(
    body: bytes, kind: str, *, coding: str = "", status: int = 200, method: str = "POST"
) -> tuple[bytes, list[tuple[str, str]]]:
    """What a client reads of this answer, and what was noted of it all."""
    traffic = MessageLog()
    tap = traffic.tap("web")
    headers = {"content-type": kind} | ({"content-encoding": coding} if coding else {})

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers=headers, stream=Pieces(body))

    async def on_request(request: httpx2.Request) -> None:
        await http_transport.note_request(tap, request)

    async def on_response(response: httpx2.Response) -> None:
        http_transport.note_response(tap, response)

    hooks = {"request": [on_request], "response": [on_response]}
    transport = httpx2.MockTransport(answer)
    async with httpx2.AsyncClient(transport=transport, event_hooks=hooks) as client:
        sent = REQUEST if method == "POST" else None
        response = await client.request(method, "http://host/mcp", json=sent)
    return response.content, [(one.direction, one.kind) for one in traffic.after(0)]


SENT, RECEIVED = ("sent", "request"), ("received", "response")


async def test_a_request_and_its_answer() -> None:
    assert await exchange(ANSWER, "application/json") == (ANSWER, [SENT, RECEIVED])


async def test_events_that_are_messages() -> None:
    read, noted = await exchange(EVENTS, "text/event-stream; charset=utf-8")
    assert (read, noted) == (EVENTS, [SENT, RECEIVED])


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_packed_answers(coding: str, kind: str) -> None:
    body = ANSWER if kind == "application/json" else EVENTS
    packed = gzip.compress(body) if coding == "gzip" else zlib.compress(body)
    assert await exchange(packed, kind, coding=coding) == (body, [SENT, RECEIVED])


async def test_what_is_said_beside_messages_is_not_noted() -> None:
    assert (await exchange(b"Accepted", "text/plain", status=202))[1] == [SENT]
    assert (await exchange(b"", "application/json"))[1] == [SENT]
    assert (await exchange(b"No", "text/plain", status=405, method="GET"))[1] == []
    assert (await exchange(ANSWER, "application/json", method="DELETE"))[1] == []


async def test_a_page_instead_of_an_answer_is_noted() -> None:
    _, noted = await exchange(b"<html>", "text/html", status=502)
    assert noted == [SENT, ("received", "unreadable")]


async def test_an_event_longer_than_the_limit_is_left_to_the_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_transport, "MAX_LINE_BYTES", 10)
    assert await exchange(EVENTS, "text/event-stream") == (EVENTS, [SENT])


TRANSPORTS = ("http", "sse")
SECRET = "Bearer do-not-write-this-down"


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_it_is_reached_listed_and_called(web: WebServer, era: str) -> None:
    async with connected(web.config(era=era)) as connection:
        assert connection.is_connected, connection.state.error
        assert names(connection)[:5] == ["echo", "pid", "big", "header", "crash"]
        assert connection.about.instructions == "A server at a URL."
        assert connection.pid is None
        calls = (connection.call_tool("echo", {"message": str(n)}) for n in range(20))
        assert [one.output for one in await asyncio.gather(*calls)] == [str(n) for n in range(20)]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_redirect_within_the_origin_is_followed_and_noted_once(
    web: WebServer, era: str
) -> None:
    """Starlette answers an address with one slash too many so."""
    around = surroundings()
    async with connected(web.config(f"{web.path}/", era=era), around) as connection:
        assert connection.is_connected, connection.state.error
        result = await connection.call_tool("echo", {"message": "hi"})
        assert result.output == "hi"
    sent = [entry for entry in around.traffic.after(0) if entry.kind == "request"]
    calls = [entry for entry in sent if entry.method == "tools/call"]
    assert len(calls) == 1


@pytest.mark.parametrize("path", ["/sse", "/events"])
async def test_a_server_of_the_older_kind_is_found_whatever_its_type_says(
    path: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    around = surroundings(pauses=Pauses(first=0.1))
    with WebServer("sse", path=path) as server:
        async with connected(server.config(transport="http"), around) as connection:
            assert connection.is_connected, connection.state.error
            assert (await connection.call_tool("echo", {"message": "hi"})).output == "hi"
            refused = [entry for entry in around.traffic.after(0) if entry.kind == "unreadable"]
            server.kill()
            with server.started_again():
                await reached(connection, "reconnecting")
                await reached(connection, "connected")
                now = [entry for entry in around.traffic.after(0) if entry.kind == "unreadable"]
                assert now == refused  # what was found is remembered


async def test_a_server_of_the_newer_kind_that_is_typed_sse_is_told_by_its_type(
    web_servers: Mapping[str, WebServer],
) -> None:
    async with connected(web_servers["http"].config(transport="sse")) as connection:
        assert connection.state.phase == "failed"
        assert "400 Bad Request" in connection.state.error
        assert "set its type to http" in connection.state.error


async def test_headers_are_sent_and_never_logged(
    web: WebServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected(web.config(headers={"Authorization": SECRET})) as connection:
        assert (await connection.call_tool("header", {"name": "authorization"})).output == SECRET
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("desktop")]
    assert not [text for text in ours if SECRET in text]


async def test_a_failed_call_does_not_log_the_headers(
    mortal_web: WebServer, caplog: pytest.LogCaptureFixture, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    async with connected(mortal_web.config(headers={"Authorization": SECRET})) as connection:
        mortal_web.kill()
        error_of(await connection.call_tool("echo", {"message": "hi"}, timeout=5))
    assert SECRET not in caplog.text


async def test_a_path_that_is_not_there_fails_and_speaks_of_the_url(
    web: WebServer, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    async with connected(web.config("/wrong")) as connection:
        assert connection.state.phase == "failed"
        assert "its address answered 404 Not Found" in connection.state.error
        assert "Check the URL" in connection.state.error
        assert "stderr" not in connection.state.error


async def test_a_server_that_died_is_noticed_at_the_next_call_and_found_again(
    mortal_web: WebServer, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    around = surroundings(pauses=Pauses(first=0.3))
    async with connected(mortal_web.config(), around) as connection:
        first = (await connection.call_tool("pid", {})).output
        mortal_web.kill()
        async with asyncio.timeout(LIMIT):
            code, _ = error_of(await connection.call_tool("echo", {"message": "hi"}))
        assert code == ErrorCode.UNREACHABLE
        with mortal_web.started_again():
            await reached(connection, "connected")
            assert (await connection.call_tool("pid", {})).output != first


async def test_a_call_to_a_server_that_was_replaced_is_carried_out_by_the_new_one(
    expected_logs: ExpectedLogs,
) -> None:
    """Nothing told of the replacement: the new server says itself that it knows no such session."""
    expected_logs.allow("mcp")
    with WebServer("http") as web:
        async with connected(web.config(era="legacy")) as connection:
            first = (await connection.call_tool("pid", {})).output
            web.kill()
            with web.started_again():
                async with asyncio.timeout(LIMIT):
                    result = await connection.call_tool("pid", {})
                assert result.success, result.error
                assert result.output != first


async def test_a_server_that_was_replaced_between_calls_is_found_again(
    mortal_web: WebServer, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    around = surroundings(pauses=Pauses(first=0.1))
    async with connected(mortal_web.config(era="legacy"), around) as connection:
        first = (await connection.call_tool("pid", {})).output
        mortal_web.kill()
        with mortal_web.started_again():
            async with asyncio.timeout(LIMIT):
                while (result := await connection.call_tool("pid", {})).is_error:
                    assert error_of(result)[0] == ErrorCode.UNREACHABLE
                    await reached(connection, "connected")
            assert result.output != first


async def test_a_server_that_dies_in_a_call_is_unreachable(
    mortal_web: WebServer, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp")
    async with connected(mortal_web.config()) as connection:
        async with asyncio.timeout(LIMIT):
            code, message = error_of(await connection.call_tool("crash", {}))
        assert code == ErrorCode.UNREACHABLE
        assert "may have had effects" in message


async def test_a_large_result_arrives_whole_over_http(
    web_servers: Mapping[str, WebServer],
) -> None:
    async with connected(web_servers["http"].config()) as connection:
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


def test_a_message_that_comes_while_its_session_closes_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = logging.getLogger("mcp.client.streamable_http")
    log.error("Error parsing SSE message", exc_info=anyio.BrokenResourceError())
    assert caplog.text == ""
