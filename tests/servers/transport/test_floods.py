"""A server that sends far too many notifications: what is read of them, and what never is."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.servers import server_log
from desktop.servers.transport import message_stream
from desktop.servers.transport.message_stream import FloodGate
from desktop.servers.transport.stderr_log import NOISE_MARK
from tests.live_servers import connected, stdio, surroundings
from tests.patience import LIMIT

if TYPE_CHECKING:
    from desktop.servers.calls import Progress
    from desktop.servers.connection import ServerConnection
    from desktop.servers.message_log import RecordedMessage

MANY = 3_000
FLOODS = stdio("floods_notifications")


class _Listener:
    """Hears the progress of one call."""

    def __init__(self) -> None:
        self.heard: list[float] = []
        self._news = asyncio.Event()

    def note(self, progress: Progress) -> None:
        self.heard.append(progress.progress)
        self._news.set()

    async def until_last(self, number: float) -> None:
        async with asyncio.timeout(LIMIT):
            while not self.heard or self.heard[-1] != number:
                self._news.clear()
                await self._news.wait()


async def test_of_log_messages_those_that_are_too_many_are_counted_and_never_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_log, "WINDOW", 1000.0)
    async with connected(FLOODS) as server:
        result = await server.call_tool("flood", {"kind": "log", "count": MANY})
        assert result.output == f"sent {MANY}"
        assert (await server.call_tool("echo", {"message": "still there"})).output == "still there"
        await server.disconnect()
        lines = server.output.lines
    shown = [line for line in lines if line.startswith("[info] flood: message")]
    assert shown == [f"[info] flood: message {number}" for number in range(1, 201)]
    assert [line for line in lines if "dropped" in line] == [
        f"[mcp-desktop] {MANY + 1 - 200} log messages dropped: more than 200 per second"
    ]
    assert not [line for line in lines if line.startswith(NOISE_MARK)]


async def test_of_the_progress_of_a_call_the_latest_is_heard_when_the_flood_is_over() -> None:
    listener = _Listener()
    async with connected(FLOODS) as server:
        running = spawn(_flood(server, listener), "flood")
        await listener.until_last(MANY)
        running.cancel()
    assert listener.heard[: message_stream.MAX_PROGRESS] == list(
        range(1, message_stream.MAX_PROGRESS + 1)
    )
    assert listener.heard == sorted(set(listener.heard))
    assert len(listener.heard) < MANY / 2


async def test_the_progress_of_another_call_is_heard_beside_a_flood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(message_stream, "WINDOW", 1000.0)
    noisy, other = _Listener(), _Listener()
    async with connected(FLOODS) as server:
        running = spawn(_flood(server, noisy), "flood")
        await noisy.until_last(message_stream.MAX_PROGRESS)
        await server.call_tool("three", {}, on_progress=other.note)
        assert noisy.heard == list(range(1, message_stream.MAX_PROGRESS + 1))
        assert other.heard == [1, 2, 3]
        running.cancel()


async def test_each_message_is_recorded_once_whether_it_is_read_or_not() -> None:
    around, listener = surroundings(), _Listener()
    async with connected(FLOODS, around) as server:
        running = spawn(_flood(server, listener), "flood")
        await listener.until_last(MANY)
        running.cancel()
    recorded: list[RecordedMessage] = []
    while part := around.traffic.after(recorded[-1].number if recorded else 0):
        recorded += part
    bodies = [json.loads(each.body) for each in recorded if "progress" in each.method]
    assert sorted(body["params"]["progress"] for body in bodies) == list(range(1, MANY + 1))


async def _flood(server: ServerConnection, listener: _Listener) -> None:
    arguments = {"kind": "progress", "count": MANY, "never_answers": True}
    await server.call_tool("flood", arguments, on_progress=listener.note)


LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
NOT_CERTAIN = (
    b'{"jsonrpc":"2.0","id":1,"result":{"method":"notifications/message"}}',
    b'{"jsonrpc":"2.0","method":"notifications/messages","params":{}}',
    b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    b'{"params":{"level":"info","data":"x"},"method":"notifications/message","jsonrpc":"2.0"}',
    b'"method":"notifications/message"',
    b"",
)


def _never(line: bytes) -> None:
    raise AssertionError(line)


@pytest.mark.parametrize("line", [LOG, b"  " + LOG, LOG.replace(b":", b" : "), LOG + b" {"])
def test_a_line_that_begins_as_a_log_message_is_kept_back_unparsed(line: bytes) -> None:
    passed_over: list[bytes] = []
    gate = FloodGate(lambda: True, _never, passed_over.append)
    assert gate.keeps_back(line)
    assert passed_over == [line]


@pytest.mark.parametrize("line", NOT_CERTAIN)
def test_what_may_be_another_message_is_read(line: bytes) -> None:
    assert not FloodGate(lambda: True, _never, _never).keeps_back(line)


async def test_ever_new_tokens_are_no_way_around() -> None:
    gate = FloodGate(lambda: False, lambda _: None, lambda _: None)
    line = b'{"method":"notifications/progress","params":{"progressToken":%d,"progress":1}}'
    read = sum(not gate.keeps_back(line % number) for number in range(MANY))
    gate.close()
    assert read == message_stream.MAX_TOKENS + message_stream.MAX_PROGRESS
