"""Who connects and asks nothing is closed, and holds up nobody who does."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base import file_limit, loopback_server
from desktop.base.loopback_server import HOST, LoopbackServer, open_socket
from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from tests.patience import LIMIT
from tests.processes.recorder import Recorder
from tests.resource_limits import limited

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.conftest import ExpectedLogs

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def answer(_scope: Any, _receive: Any, send: Any) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def serving(most: int = 100) -> AsyncGenerator[int]:
    """A server; its port."""
    opened = open_socket(0)
    server = LoopbackServer(answer, [opened], most)
    try:
        yield opened.getsockname()[1]
    finally:
        await server.close()


async def connected(port: int, sent: bytes = b"") -> Connection:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(sent)
    return reader, writer


async def said(connection: Connection) -> bytes:
    """Everything until the server closes."""
    async with asyncio.timeout(LIMIT):
        try:
            return await connection[0].read()
        except ConnectionError:
            return b""
        finally:
            connection[1].close()


async def asked(connection: Connection) -> bytes:
    """One answer."""
    connection[1].write(REQUEST)
    async with asyncio.timeout(LIMIT):
        return await connection[0].readuntil(b"ok")


@pytest.mark.parametrize("sent", [b"", b"GET / HT", REQUEST + b"GET / HT"])
async def test_a_connection_that_brings_no_whole_head_is_closed(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loopback_server, "HEAD_LIMIT", 0.05)
    async with serving() as port:
        assert (await said(await connected(port, sent))).count(b"ok") == sent.count(REQUEST)


async def test_one_that_has_asked_something_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback_server, "HEAD_LIMIT", 0.05)
    async with serving() as port:
        first = await connected(port)
        await asked(first)
        assert await said(await connected(port)) == b""  # as long as one without a head may stay
        assert await asked(first)
        first[1].close()


async def test_at_the_limit_the_one_that_waits_longest_makes_room() -> None:
    async with serving(most=3) as port:
        served = await connected(port)
        await asked(served)
        silent = [await connected(port) for _ in range(20)]
        late = await connected(port)
        assert await asked(late)
        assert await asked(served)
        closed = await asyncio.gather(*(said(one) for one in silent[:-1]))
        assert closed == [b""] * 19
        for _, writer in (served, late, silent[-1]):
            writer.close()


async def test_one_too_many_is_closed_where_all_others_have_asked() -> None:
    async with serving(most=2) as port:
        busy = [await connected(port) for _ in range(2)]
        for one in busy:
            await asked(one)
        assert await said(await connected(port)) == b""
        for one in busy:
            assert await asked(one)
            one[1].close()


async def serve_once(port: int) -> None:
    """uvicorn imports its parts with the first connection."""
    served = await connected(port)
    await asked(served)
    served[1].close()


async def test_that_no_file_is_left_is_said_in_one_sentence(
    caplog: pytest.LogCaptureFixture, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_logs.expect("No more files can be opened")
    monkeypatch.setattr(loopback_server._out_of_files, "_next", 0.0)  # pyright: ignore[reportPrivateUsage]
    async with serving() as port:
        await serve_once(port)
        with (
            socket.create_connection((HOST, port)) as first,
            socket.create_connection((HOST, port)),
        ):
            with limited("RLIMIT_NOFILE", 3):
                for _ in range(20):
                    await asyncio.sleep(0)
            lines = [record for record in caplog.records if "files" in record.getMessage()]
            assert len(lines) == 1
            assert lines[0].exc_info is None
            first.sendall(REQUEST)
            assert b"200 OK" in await asyncio.to_thread(first.recv, 15, socket.MSG_WAITALL)


async def test_a_server_that_is_closed_while_there_are_no_files_says_no_more(
    expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """asyncio tries again after a while, also where the socket is closed by then."""
    expected_logs.expect("No more files can be opened")
    monkeypatch.setattr(loopback_server._out_of_files, "_next", 0.0)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr("asyncio.constants.ACCEPT_RETRY_DELAY", 0.5)
    loop, tried_again = asyncio.get_running_loop(), asyncio.Event()
    async with serving() as port:
        await serve_once(port)
        with socket.create_connection((HOST, port)), limited("RLIMIT_NOFILE", 3):
            for _ in range(20):
                await asyncio.sleep(0)
        loop.call_later(1.0, tried_again.set)
    await asyncio.wait_for(tried_again.wait(), LIMIT)


async def test_what_is_started_while_connections_are_served_keeps_the_usual_limit_of_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that waits by `select` cannot have more."""
    if sys.platform != "linux":
        pytest.skip("the limit is raised there only")
    import resource

    tracker = McpProcessTracker()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr(file_limit, "_first", [])
    with limited("RLIMIT_NOFILE", 1_024):
        async with serving():
            raised, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            assert raised == min(file_limit.WANTED, most)
            tracked = await tracker.start("one", LaunchSpec("/bin/cat", (), os.environ), Recorder())
            assert resource.prlimit(tracked.process.pid, resource.RLIMIT_NOFILE)[0] == 1_024
            await tracker.close_all()
