"""The client reads whole messages in order; whatever else a server writes is kept from it."""

from __future__ import annotations

import asyncio
import json

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from desktop.base.tasks import spawn
from desktop.servers.transport import message_stream
from tests.servers.transport.heard import FakeProcess, Heard, answer, note, shown, writer_of


async def test_messages_come_in_order_and_then_the_end(heard: Heard) -> None:
    heard.feed(note("a"), note("b"))
    assert await heard.rest() == ["a", "b"]
    with pytest.raises(anyio.EndOfStream):
        await heard.reader.receive()


async def test_who_waits_is_woken_by_a_line_and_by_the_end(heard: Heard) -> None:
    waiting = spawn(heard.reader.receive(), "waiting")
    await asyncio.sleep(0)
    heard.feed(note("a"))
    assert shown(await waiting) == "a"
    waiting = spawn(heard.rest(), "waiting")
    assert await waiting == []


@pytest.mark.parametrize(
    "line",
    [
        b"Starting ...",
        b"{}",
        b"[]",
        b"7",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "method": "a"}',
        b'{"jsonrpc": "2.0", "method": ',
        b"\xff\xfe",
        b"\x00",
        b"[" * 5000,
    ],
)
async def test_what_is_no_message_is_noise(heard: Heard, line: bytes) -> None:
    heard.reader.feed(line)
    heard.feed(note("after"))
    assert await heard.rest() == ["after"]
    assert len(heard.noise) == 1


@pytest.mark.parametrize(
    "rest",
    [
        b'"result": {"content": [], "structuredContent": {"n": ' + b"7" * 5_000_000 + b"}}}",
        b'"result": {"content": [], "structuredContent": {"n": ' + b"7" * 5_000 + b"}}}",
        b'"result": {"content": [{"type": "text", "text": "' + b"x" * 100_000 + b'"}], "a": }}',
        b'"result": {"content": [{"type": "text", "te',
        b'"error": {"code": 1, "message": }}',
        b'"result": {"a": ' + b"[" * 10_000 + b"]" * 10_000 + b"}}",
    ],
)
async def test_who_waits_for_an_answer_that_cannot_be_read_hears_so_at_once(
    heard: Heard, rest: bytes
) -> None:
    heard.reader.feed(b'{"jsonrpc": "2.0", "id": 7, ' + rest)
    received = await heard.reader.receive()
    assert isinstance(received, SessionMessage)
    assert isinstance(received.message, JSONRPCError)
    assert received.message.id == 7
    assert "be read" in received.message.error.message
    assert heard.noise == []


async def test_empty_lines_are_nothing(heard: Heard) -> None:
    for line in (b"", b" ", b"\r"):
        heard.reader.feed(line)
    heard.reader.feed(json.dumps(note("a")).encode() + b"\r")
    assert await heard.rest() == ["a"]
    assert heard.noise == []


async def test_invalid_utf8_in_a_message_is_replaced(heard: Heard) -> None:
    heard.reader.feed(b'{"jsonrpc":"2.0","id":1,"result":{"a":"caf\xe9"}}')
    assert await heard.rest() == [{"a": "caf\ufffd"}]


async def test_half_a_surrogate_pair_is_replaced(heard: Heard) -> None:
    """Python's own `json.dumps` writes one for a file name that is no UTF-8."""
    text = rb"x\udce9y \ud83d\ude00 \\ud800"
    heard.reader.feed(b'{"jsonrpc":"2.0","id":1,"result":{"a":"%s"}}' % text)
    assert await heard.rest() == [{"a": "x\ufffdy \U0001f600 \\ud800"}]


def indented(message: object) -> list[bytes]:
    return json.dumps(message, indent=2).encode().split(b"\n")


async def test_a_message_over_many_lines_is_put_together_between_others(heard: Heard) -> None:
    heard.feed(note("a"))
    for line in [*indented(note("b")), *indented(answer({"c": {}}))]:
        heard.reader.feed(line)
    heard.feed(note("d"))
    assert await heard.rest() == ["a", "b", {"c": {}}, "d"]
    assert heard.noise == []


async def test_lines_that_only_begin_like_a_message_are_noise_in_their_order(heard: Heard) -> None:
    begun = [b"{", b'  "a": 1,']
    for line in begun:
        heard.reader.feed(line)
    heard.feed(note("b"))
    for line in [*indented({"port": 1}), *begun]:
        heard.reader.feed(line)
    assert await heard.rest() == ["b"]
    assert heard.noise == ["{", '  "a": 1,', '{ "port": 1 }', "{", '  "a": 1,']


async def test_a_message_that_never_ends_is_not_collected_without_end(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "MAX_SPREAD_LENGTH", 100)
    heard.reader.feed(b"{")
    for _ in range(20):
        heard.reader.feed(b'  "text": "xxxxxxx",')
    heard.feed(note("a"))
    assert await heard.rest() == ["a"]
    assert len(heard.noise) == 21


async def test_a_batch_is_all_its_messages_in_order(heard: Heard) -> None:
    heard.reader.feed(json.dumps([note("a"), 7, answer({"b": 1})]).encode())
    heard.feed(note("c"))
    assert await heard.rest() == ["a", {"b": 1}, "c"]


async def test_a_log_line_that_looks_like_a_request_is_noise(heard: Heard) -> None:
    heard.reader.feed(b'{"id": 7, "method": "GET", "path": "/"}')
    heard.reader.feed(b'{"method": "GET", "path": "/"}')
    assert await heard.rest() == []
    assert len(heard.noise) == 2


async def test_a_large_message_is_the_same_as_a_small_one(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10)
    result = {"content": [{"type": "text", "text": "x" * 1000, "more": [1, {"a": None}]}]}
    heard.feed(answer(result))
    heard.reader.feed(b'{"jsonrpc": "2.0", "broken')
    heard.feed(note("after"))
    assert await heard.rest() == [result, "after"]
    assert heard.noise == ['{"jsonrpc": "2.0", "broken']


async def test_a_large_result_is_let_go_when_the_next_message_is_asked_for(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10)
    heard.feed(answer({"content": [{"type": "text", "text": "x" * 1000}]}))
    item = await heard.reader.receive()
    assert isinstance(item, SessionMessage)
    assert isinstance(item.message, JSONRPCResponse)
    given = item.message.result
    heard.feed(note("after"))
    await heard.reader.receive()
    assert item.message.result == {}
    assert given["content"]


async def test_a_server_that_writes_faster_than_it_is_read_waits(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "MAX_WAITING_BYTES", 1000)
    for _ in range(40):
        heard.feed(note("a" * 30))
    assert heard.flow == [False]
    assert len(await heard.rest()) == 40
    assert heard.flow == [False, True]


async def test_each_message_is_written_as_one_line(heard: Heard) -> None:
    process = FakeProcess()
    request = JSONRPCRequest(jsonrpc="2.0", id=1, method="a", params={"text": "x\ny \u20ac"})
    await writer_of(process, heard.reader).send(SessionMessage(request))
    (line,) = process.written
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "a",
        "params": {"text": "x\ny \u20ac"},
    }


async def test_a_closed_input_is_the_error_that_the_client_knows(heard: Heard) -> None:
    process = FakeProcess()
    process.broken = True
    request = JSONRPCRequest(jsonrpc="2.0", id=1, method="a")
    with pytest.raises(anyio.BrokenResourceError):
        await writer_of(process, heard.reader).send(SessionMessage(request))
