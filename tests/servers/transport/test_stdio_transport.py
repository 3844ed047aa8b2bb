"""The transport owns its process: it tells why it ended and leaves nothing of it.

Both kinds of link keep the same promises.

Lines come out whole, however their bytes come in.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse

from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.message_log import MessageLog
from desktop.servers.transport import stdio_transport
from desktop.servers.transport.http_transport import HttpTransport
from desktop.servers.transport.stderr_log import StderrLog
from desktop.servers.transport.stdio_transport import LineBuffer, LineTooLongError, StdioTransport
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    import psutil
    from mcp.client._transport import TransportStreams

from desktop.servers.transport.stdio_transport import ServerTransport


def ignore(_: object = None) -> None:
    """Nobody asks."""


def links() -> list[ServerTransport]:
    config = ServerConfig(name="web", transport="http", url="http://127.0.0.1:1/mcp")
    parts = ("a", LaunchSpec("true"), McpProcessTracker(), StderrLog(), MessageLog().tap("a"))
    return [
        StdioTransport(*parts, closed=ignore, started=ignore),
        HttpTransport(config, ignore, MessageLog().tap("a")),
    ]


@pytest.mark.parametrize("number", [0, 1], ids=["stdio", "remote"])
async def test_a_link_that_was_not_entered_has_nothing_to_tell(number: int) -> None:
    link = links()[number]
    assert (link.pid, link.exit_code) == (None, None)
    assert (link.is_closed, link.lost, link.is_sse) == (False, "", False)
    assert hasattr(link.transport, "__aenter__")


TEXT = "one\n\ntwo\r\n\u00e4\u20ac\n".encode()


@pytest.fixture(params=[stdio_transport.JOINED_BYTES, 2], ids=["at once", "as it comes"])
def _joined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How a line of several chunks is put together."""
    monkeypatch.setattr(stdio_transport, "JOINED_BYTES", request.param)


@pytest.mark.usefixtures("_joined")
@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_lines_are_whole_wherever_the_stream_is_cut(size: int) -> None:
    buffer = LineBuffer()
    chunks = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
    lines = [line for chunk in chunks for line in buffer.feed(chunk)]
    assert lines == TEXT.split(b"\n")[:-1]


@pytest.mark.usefixtures("_joined")
def test_the_rest_waits_for_its_end() -> None:
    buffer = LineBuffer()
    assert buffer.feed(b"a") == []
    assert buffer.feed(b"b") == []
    assert buffer.feed(b"c\nd") == [b"abc"]
    assert buffer.feed(b"\n") == [b"d"]


@pytest.mark.usefixtures("_joined")
@pytest.mark.parametrize("chunks", [[b"x" * 11], [b"x" * 10, b"x"], [b"a\n" + b"x" * 11 + b"\n"]])
def test_a_line_over_the_limit_is_refused_and_let_go(chunks: list[bytes]) -> None:
    buffer = LineBuffer(10)

    def feed() -> None:
        for chunk in chunks:
            buffer.feed(chunk)

    with pytest.raises(LineTooLongError):
        feed()
    assert buffer.feed(b"\n") == [b""]


def test_a_line_at_the_limit_is_a_line() -> None:
    assert LineBuffer(10).feed(b"x" * 10 + b"\n") == [b"x" * 10]


def test_many_chunks_of_one_line_are_each_touched_once() -> None:
    """Linear, not quadratic: 20 MB in chunks of 64 bytes would take minutes otherwise."""
    buffer = LineBuffer()
    chunk = b"x" * 64
    for _ in range(20 * 1024 * 1024 // 64):
        buffer.feed(chunk)
    assert len(buffer.feed(b"\n")[0]) == 20 * 1024 * 1024


class Started:
    """A link to a test server and what it told."""

    def __init__(self, program: str, args: tuple[str, ...], limit: int = 10_000_000) -> None:
        self.tracker = McpProcessTracker()
        self.output = StderrLog()
        self.closed = asyncio.Event()
        self.times_closed = 0
        self.processes: list[psutil.Process | None] = []
        self.link = StdioTransport(
            "test",
            LaunchSpec(program, args, dict(os.environ)),
            self.tracker,
            self.output,
            MessageLog().tap("test"),
            closed=self._closed,
            started=self.processes.append,
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
        assert [process.pid for process in started.processes if process] == [started.link.pid]
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
        assert started.link.lost == "sent a line longer than 2 MB"
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
