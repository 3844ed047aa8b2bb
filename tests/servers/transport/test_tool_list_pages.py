"""One huge page becomes many, and the server is not asked for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCRequest, JSONRPCResponse

from desktop.servers.transport import message_stream
from desktop.servers.transport.message_stream import ToolListPager
from desktop.servers.transport.sliced_json import PAGE
from tests.servers.transport.heard import (
    FakeProcess,
    Heard,
    answer,
    request,
    shown,
    whole,
    writer_of,
)


def response(count: int, **extra: Any) -> JSONRPCResponse:
    tools = [{"name": str(number)} for number in range(count)]
    return JSONRPCResponse(jsonrpc="2.0", id=1, result={"tools": tools, **extra})


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
        tools += map(whole, message.message.result["tools"])
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
