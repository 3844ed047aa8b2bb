"""The client reads whole messages in order; whatever else a server writes is kept from it.

One huge page becomes many, and the server is not asked for them.

Reads what the standard library reads, and lets the loop run meanwhile.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from desktop.servers.message_log import MessageLog
from desktop.servers.transport import message_stream, sliced_json
from desktop.servers.transport.message_stream import MessageReader, MessageWriter, ToolListPager
from desktop.servers.transport.sliced_json import PAGE
from desktop.tasks import spawn

if TYPE_CHECKING:
    from desktop.processes.process import ServerProcess


def response(count: int, **extra: Any) -> JSONRPCResponse:
    tools = [{"name": str(number)} for number in range(count)]
    return JSONRPCResponse(jsonrpc="2.0", id=1, result={"tools": tools, **extra})


def request(cursor: object, number: int = 2, method: str = "tools/list") -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params={"cursor": cursor})


def result(message: JSONRPCMessage | None) -> dict[str, Any]:
    assert isinstance(message, JSONRPCResponse)
    return message.result


def read_all(pages: ToolListPager, first: dict[str, Any]) -> tuple[list[str], object]:
    names = [tool["name"] for tool in first["tools"]]
    cursor: object = first.get("nextCursor")
    number = 1
    while (page := pages.answer(request(cursor, number := number + 1))) is not None:
        names += [tool["name"] for tool in result(page)["tools"]]
        cursor = result(page).get("nextCursor")
        assert isinstance(page, JSONRPCResponse)
        assert page.id == number
    return names, cursor


def test_a_long_list_is_cut_and_complete_in_order() -> None:
    pages = ToolListPager()
    first = result(pages.cut(response(3 * PAGE + 1, ttlMs=5)))
    assert len(first["tools"]) == PAGE
    assert first["ttlMs"] == 5
    assert read_all(pages, first) == ([str(number) for number in range(3 * PAGE + 1)], None)


def test_the_servers_own_next_page_follows_the_cut_one() -> None:
    pages = ToolListPager()
    first = result(pages.cut(response(PAGE + 1, nextCursor="own")))
    names, cursor = read_all(pages, first)
    assert len(names) == PAGE + 1
    assert cursor == "own"


def test_a_short_list_and_other_messages_are_left_alone() -> None:
    pages = ToolListPager()
    short = response(PAGE)
    assert result(pages.cut(short)) == short.result
    asked = request("x")
    assert pages.cut(asked) is asked
    other = JSONRPCResponse(jsonrpc="2.0", id=1, result={"tools": "none"})
    assert result(pages.cut(other)) == {"tools": "none"}


def test_only_a_request_for_a_kept_page_is_answered_and_once() -> None:
    pages = ToolListPager()
    cursor = result(pages.cut(response(PAGE + 1)))["nextCursor"]
    for asked in (request("other"), request(None), request(7), request(cursor, method="ping")):
        assert pages.answer(asked) is None
    assert pages.answer(request(cursor)) is not None
    assert pages.answer(request(cursor)) is None


def test_two_lists_at_the_same_time_do_not_mix() -> None:
    pages = ToolListPager()
    cursors = [result(pages.cut(response(PAGE + extra)))["nextCursor"] for extra in (1, 2)]
    sizes = [len(result(pages.answer(request(cursor)))["tools"]) for cursor in cursors]
    assert sizes == [1, 2]


VALUES: list[Any] = [
    {},
    [],
    0,
    -1.5e10,
    'a \u20ac "quoted" \\ \n',
    None,
    True,
    {"a": [], "b": {}, "c": [[], [{}], [[[[1]]]]]},
    {"result": {"tools": [{"name": str(n), "x": {"y": [n, None]}} for n in range(50)]}},
    [1, [2, [3, [4, [5, [6]]]]]],
    {"": {"": {"": {"": ""}}}},
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("indent", [None, 2])
async def test_every_value_is_what_the_library_makes_of_it(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert await sliced_json.loads(f" {text}\r\n") == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "[1 2]",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        "{a:1}",
        "{1:1}",
        '{"a":1 "b":2}',
        "[1]]",
        "{} {}",
        "nul",
        '"open',
        "[[[[",
        "\x00",
    ],
)
async def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        await sliced_json.loads(text)


async def test_depth_beyond_reason_is_an_error_and_no_crash() -> None:
    with pytest.raises((ValueError, RecursionError)):
        await sliced_json.loads("[" * 200_000)


async def test_of_a_key_that_stands_twice_the_last_one_counts() -> None:
    assert await sliced_json.loads('{"a": 1, "a": 2}') == {"a": 2}


async def test_the_loop_runs_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_json, "SLICE", 0.0)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = spawn(count(), "count")
    await sliced_json.loads(json.dumps({"result": {"tools": [{"n": n} for n in range(100)]}}))
    counting.cancel()
    assert turns >= 100


class Heard:
    """A reader with what it told besides messages."""

    def __init__(self) -> None:
        self.noise: list[str] = []
        self.flow: list[bool] = []
        self.traffic = MessageLog()
        self.reader = MessageReader(self.noise.append, self.flow.append, self.traffic.tap("server"))

    def feed(self, *messages: object) -> None:
        for message in messages:
            self.reader.feed(json.dumps(message).encode())

    async def rest(self) -> list[Any]:
        """All messages until the end, as their methods or results."""
        self.reader.end()
        return [shown(message) async for message in self.reader]


def shown(message: SessionMessage | Exception) -> Any:
    assert isinstance(message, SessionMessage)
    inner = message.message
    if isinstance(inner, JSONRPCResponse):
        return inner.result
    assert isinstance(inner, JSONRPCNotification | JSONRPCRequest)
    return inner.method


def note(method: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method}


def answer(result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": result}


@pytest.fixture
def heard() -> Heard:
    return Heard()


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


class FakeProcess:
    """Takes what is written, until it is said to be broken."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.broken = False

    async def write(self, data: bytes) -> None:
        if self.broken:
            raise BrokenPipeError
        self.written.append(data)


def writer_of(process: FakeProcess, reader: MessageReader) -> MessageWriter:
    given: ServerProcess = process  # type: ignore[assignment]  # the writer only writes
    return MessageWriter(given, reader)


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


async def test_a_page_that_is_kept_is_answered_without_the_server(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10)
    heard.feed(answer({"tools": [{"name": str(number)} for number in range(201)]}))
    first = shown(await heard.reader.receive())
    process = FakeProcess()
    params = {"cursor": first["nextCursor"]}
    request = JSONRPCRequest(jsonrpc="2.0", id=2, method="tools/list", params=params)
    await writer_of(process, heard.reader).send(SessionMessage(request))
    assert shown(await heard.reader.receive()) == {"tools": [{"name": "200"}]}
    assert process.written == []


LONG = [{"name": str(number), "inputSchema": {"type": "object"}} for number in range(2 * PAGE + 1)]


async def listed(heard: Heard, text: str) -> tuple[list[Any], list[JSONRPCMessage]]:
    """All tools of a line, asked for page by page, and what else was answered."""
    heard.reader.feed(text.encode())
    message, tools = await heard.reader.receive(), list[Any]()
    while isinstance(message, SessionMessage):
        if not isinstance(message.message, JSONRPCResponse):
            return tools, [message.message]
        tools += message.message.result["tools"]
        cursor = message.message.result.get("nextCursor")
        asked = heard.reader.pages.answer(request(cursor))
        if asked is None:
            return tools, [message.message]
        message = SessionMessage(asked)
    raise AssertionError(message)


@pytest.mark.parametrize("id_first", [True, False])
async def test_a_long_list_is_read_a_page_at_a_time_and_complete(
    heard: Heard, monkeypatch: pytest.MonkeyPatch, id_first: bool
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10)
    result = {"_meta": {"a": 1}, "tools": LONG, "nextCursor": "own"}
    message = {"jsonrpc": "2.0", "id": 1, "result": result}
    order = message if id_first else dict(reversed(message.items()))
    tools, (last,) = await listed(heard, json.dumps(order))
    assert tools == LONG
    assert isinstance(last, JSONRPCResponse)
    assert (last.result["nextCursor"], last.result["_meta"]) == ("own", {"a": 1})


async def test_a_long_list_whose_end_is_damaged_keeps_the_pages_before_it(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10)
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": LONG}})
    tools, (last,) = await listed(heard, text[: -len('"object"}}]}}')] + "]}}")
    assert tools == LONG[:PAGE]
    assert isinstance(last, JSONRPCError)
    assert last.error.message == "the rest of the list cannot be read"


async def test_only_the_tools_of_a_result_are_cut(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"}
    heard.reader.feed(json.dumps(asked | {"params": {"tools": LONG}}).encode())
    message = await heard.reader.receive()
    assert isinstance(message, SessionMessage)
    assert isinstance(message.message, JSONRPCRequest)
    assert message.message.params == {"tools": LONG}


async def test_a_closed_input_is_the_error_that_the_client_knows(heard: Heard) -> None:
    process = FakeProcess()
    process.broken = True
    request = JSONRPCRequest(jsonrpc="2.0", id=1, method="a")
    with pytest.raises(anyio.BrokenResourceError):
        await writer_of(process, heard.reader).send(SessionMessage(request))


async def test_an_answer_that_somebody_takes_does_not_come_up_among_the_messages(
    heard: Heard,
) -> None:
    taken: list[object] = []
    heard.reader.take_answer = lambda number, _: number == 1 and not taken.append(number)
    waiting = spawn(heard.reader.receive(), "reader")
    await asyncio.sleep(0)
    heard.feed({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert taken == [1]
    assert heard.reader.has_received
    other = {"jsonrpc": "2.0", "id": 2, "result": {"is": "first"}}
    heard.feed(other, {"jsonrpc": "2.0", "id": 1, "result": {"is": "second"}})
    assert taken == [1]  # it must not overtake the one before it
    assert shown(await waiting) == {"is": "first"}
    assert await heard.rest() == [{"is": "second"}]
    assert [one.id for one in heard.traffic.after(0)] == [1, 2, 1]


@pytest.mark.parametrize(
    "line",
    [
        {"jsonrpc": "2.0", "method": "notifications/x"},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}},
        {"jsonrpc": "2.0", "id": 1, "result": {}, "method": "x"},
        {"jsonrpc": "1.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "result": []},
        [{"jsonrpc": "2.0", "id": 1, "result": {}}],
    ],
)
async def test_what_is_not_plainly_an_answer_takes_the_way_of_all_messages(
    heard: Heard, line: object
) -> None:
    taken: list[object] = []
    heard.reader.take_answer = lambda number, _: not taken.append(number)
    waiting = spawn(heard.reader.receive(), "reader")
    await asyncio.sleep(0)
    heard.feed(line)
    heard.reader.end()
    await asyncio.wait({waiting})
    assert taken == []
    assert heard.traffic.last == 1 or waiting.exception() is not None
