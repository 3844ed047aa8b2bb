"""Servers at a URL whose answers do not end, or grow while they are unpacked."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import zlib
from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from desktop.servers.transport import http_error_messages, http_transport
from desktop.values.tool_types import ErrorCode
from tests.attacks.measure import MB, loop_blocks, memory
from tests.http_stub import Answer, Request, serving
from tests.live_servers import connected, error_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.connection import ServerConnection
    from tests.conftest import ExpectedLogs

LIMIT = 4 * MB
BOMB_PIECES = 200
"""Each of 1 MB, when it is unpacked."""
SAID = "its address answered with more than 4 MB"


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs) -> None:
    """The limit of a line, as small as a test can have it; the SDK logs what it cannot read."""
    for module in (http_transport, http_error_messages):
        monkeypatch.setattr(module, "MAX_LINE_BYTES", LIMIT)
    expected_logs.allow("mcp.client.streamable_http")


def bomb(coding: str) -> bytes:
    """Some hundred kB that are 200 MB unpacked."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31 if coding == "gzip" else 15)
    piece = b" " * MB
    return b"".join([pack.compress(piece) for _ in range(BOMB_PIECES)]) + pack.flush()


def to_calls(answer: Answer, request: Request) -> Answer | None:
    return answer if request.rpc == "tools/call" else None


async def call(connection: ServerConnection) -> tuple[ErrorCode, str]:
    return error_of(await connection.call_tool("echo", {}))


@contextlib.asynccontextmanager
async def endless(kind: str) -> AsyncGenerator[ServerConfig]:
    """A server that answers everything with white space for ever."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            while not writer.is_closing():
                writer.write(b" " * 65_536)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}/mcp"
        yield ServerConfig.checked(name="web", transport="http", url=url, era="legacy")


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_a_compressed_bomb_ends_at_the_limit_and_says_so(coding: str) -> None:
    answer = Answer(200, bomb(coding), headers={"content-encoding": coding})
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        with memory() as cost:
            code, words = await call(connection)
    assert code is ErrorCode.PROTOCOL
    assert SAID in words
    assert cost.peak < 3 * LIMIT


async def test_a_compressed_bomb_does_not_block_the_loop() -> None:
    answer = Answer(200, bomb("gzip"), headers={"content-encoding": "gzip"})
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        async with loop_blocks() as cost:
            await call(connection)
    assert cost.longest_block < 0.1


async def test_a_bomb_that_is_refused_costs_no_more_than_its_reason() -> None:
    answer = Answer(500, bomb("gzip"), "text/plain", headers={"content-encoding": "gzip"})
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        with memory() as cost:
            _, words = await call(connection)
    assert "500 Internal Server Error" in words
    assert cost.peak < 3 * LIMIT


async def test_a_compressed_stream_of_events_is_unpacked_in_pieces() -> None:
    packed = gzip.compress(b"data: " + b" " * 50 * MB)
    answer = Answer(200, packed, "text/event-stream", headers={"content-encoding": "gzip"})
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        with memory() as cost:
            _, words = await call(connection)
    assert "exceeded the" in words
    assert cost.peak < 5 * LIMIT


async def test_a_long_answer_that_is_not_compressed_ends_at_the_limit() -> None:
    answer = Answer(200, b" " * 50 * MB)
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        code, words = await call(connection)
    assert (code, SAID in words) == (ErrorCode.PROTOCOL, True)


async def test_an_endless_answer_to_the_greeting_ends_at_the_limit() -> None:
    async with endless("application/json") as config:
        with memory() as cost:
            async with connected(config) as connection:
                state = connection.state
    assert state.phase == "failed"
    assert SAID in str(state.error)
    assert cost.peak < 4 * LIMIT


async def test_a_coding_that_was_not_asked_for_is_refused() -> None:
    answer = Answer(200, b"anything", headers={"content-encoding": "gzip, gzip"})
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        _, words = await call(connection)
    assert "uses a compression that was not requested" in words


async def test_a_damaged_compressed_answer_is_an_error_at_once() -> None:
    packed = gzip.compress(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}).encode())
    answer = Answer(200, packed[:10] + b"\xff" * 30, headers={"content-encoding": "gzip"})
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = lambda request: to_calls(answer, request)
        _, words = await call(connection)
    assert "cannot be decompressed" in words


async def test_deflate_without_its_header_is_read() -> None:
    def answer(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        result = {"content": [{"type": "text", "text": "raw"}]}
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "result": result}
        pack = zlib.compressobj(9, zlib.DEFLATED, -15)
        body = pack.compress(json.dumps(reply).encode()) + pack.flush()
        return Answer(200, body, headers={"content-encoding": "deflate"})

    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = answer
        result = await connection.call_tool("echo", {})
    assert result.output == "raw"
