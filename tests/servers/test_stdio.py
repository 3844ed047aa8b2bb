"""The transport owns its process: it tells why it ended and leaves nothing of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse

from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.output import StderrLog
from desktop.servers.stdio import StdioTransport
from desktop.servers.traffic import MessageLog
from desktop.tasks import spawn
from tests.live_servers import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


class Started:
    """A link to a test server and what it told."""

    def __init__(self, program: str, args: tuple[str, ...], limit: int = 10_000_000) -> None:
        self.tracker = McpProcessTracker()
        self.output = StderrLog()
        self.closed = asyncio.Event()
        self.times_closed = 0
        self.pids: list[int] = []
        self.link = StdioTransport(
            "test",
            LaunchSpec(program, args, dict(os.environ)),
            self.tracker,
            self.output,
            MessageLog().tap("test"),
            closed=self._closed,
            started=self.pids.append,
            line_limit=limit,
        )

    def _closed(self) -> None:
        self.times_closed += 1
        self.closed.set()


def server(name: str, *args: object, limit: int = 10_000_000) -> Started:
    program, arguments = command(name, *args)
    return Started(program, tuple(arguments), limit)


def shell(script: str, limit: int = 10_000_000) -> Started:
    return Started("/bin/sh", ("-c", script), limit)


async def ask(streams: TransportStreams, method: str, **params: object) -> JSONRPCResponse:
    read, write = streams
    request = JSONRPCRequest(jsonrpc="2.0", id=1, method=method, params=params)
    await write.send(SessionMessage(request))
    message = await read.receive()
    assert isinstance(message, SessionMessage)
    assert isinstance(message.message, JSONRPCResponse)
    return message.message


async def test_it_starts_speaks_and_ends() -> None:
    started = server("plain")
    async with started.link as streams:
        assert started.pids == [started.link.pid]
        assert (await ask(streams, "ping")).result == {}
        assert not started.link.is_closed
    assert started.link.exit_code == 0
    assert (started.link.is_closed, started.link.lost, started.times_closed) == (True, "", 1)
    assert started.tracker.tracked == ()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 3", "exited with code 3"),
        ("kill -9 $$", "was ended by signal 9"),
        ("exec >&-; exec sleep 60", "closed its output"),
        ("sleep 60 & exit 4", "exited with code 4"),
    ],
)
async def test_an_end_is_noticed_and_said(script: str, why: str) -> None:
    started = shell(script)
    async with started.link as (read, _):
        await asyncio.wait_for(started.closed.wait(), LIMIT)
        assert started.link.lost == why
        with pytest.raises(anyio.EndOfStream):
            await read.receive()
    assert started.times_closed == 1
    assert started.tracker.tracked == ()


async def test_the_last_words_before_an_end_are_still_read() -> None:
    line = '{"jsonrpc":"2.0","id":1,"result":{}}'
    started = shell(f"echo '{line}'; echo bye >&2; exit 1")
    async with started.link as (read, _):
        message = await read.receive()
        assert isinstance(message, SessionMessage)
        with pytest.raises(anyio.EndOfStream):
            await read.receive()
        await asyncio.wait_for(started.closed.wait(), LIMIT)
    assert started.output.tail() == "bye"


async def test_a_line_over_the_limit_is_the_end() -> None:
    started = shell("head -c 3000000 /dev/zero; exec sleep 60", limit=2_000_000)
    async with started.link as (read, _):
        await asyncio.wait_for(started.closed.wait(), LIMIT)
        assert started.link.lost == "sent a line of more than 2 MB"
        with pytest.raises(anyio.EndOfStream):
            await read.receive()


async def test_after_a_line_over_the_limit_nothing_is_read_or_kept() -> None:
    message = '{"jsonrpc":"2.0","id":1,"result":{}}'
    started = shell(f"head -c 3000000 /dev/zero; echo; echo '{message}'", limit=2_000_000)
    async with started.link as (read, _):
        await asyncio.wait_for(started.closed.wait(), LIMIT)
        with pytest.raises(anyio.EndOfStream):
            await read.receive()


async def test_what_is_no_message_is_shown_and_cut() -> None:
    started = shell("echo hello; head -c 1000 /dev/zero | tr '\\0' x; echo; exec sleep 60")
    async with started.link as (read, _):
        reading = spawn(read.receive(), "read")
        while len(started.output.lines) < 2:
            heard = asyncio.Event()
            end = started.output.received.connect(lambda _, heard=heard: heard.set())
            await asyncio.wait_for(heard.wait(), LIMIT)
            end()
        reading.cancel()
        await asyncio.wait({reading})
    first, second = started.output.lines
    assert first == "[stdout, not a message] hello"
    assert len(second) < 400


async def test_a_command_that_cannot_be_started_is_an_error_and_leaves_nothing() -> None:
    started = Started("/no/such/program", ())
    with pytest.raises(OSError, match="No such file"):
        await started.link.__aenter__()
    assert started.link.pid is None
    await started.link.__aexit__(None, None, None)


@pytest.mark.parametrize("name", ["stubborn", "leaves_child"])
async def test_a_cancellation_does_not_cut_the_ending_short(name: str) -> None:
    started = server(name)
    inside = asyncio.Event()

    async def use() -> None:
        async with started.link as streams:
            await ask(streams, "ping")
            inside.set()
            await asyncio.Event().wait()

    using = spawn(use(), "use")
    await asyncio.wait_for(inside.wait(), LIMIT)
    for _ in range(3):
        using.cancel()
        await asyncio.sleep(0.01)
    with contextlib.suppress(asyncio.CancelledError):
        await using
    await started.tracker.close_all()
    assert started.tracker.tracked == ()


async def test_a_server_that_floods_stderr_is_not_held_up() -> None:
    started = server("floods_stderr", "--megabytes", 5)
    async with started.link as streams:
        assert (await ask(streams, "ping")).result == {}
    assert len(started.output.lines) == 1000
