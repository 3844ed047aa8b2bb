"""One huge page becomes many, and the server is not asked for them."""

from __future__ import annotations

from typing import Any

from mcp_types import JSONRPCMessage, JSONRPCRequest, JSONRPCResponse

from desktop.servers.repaging import PAGE, ToolListPager


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
