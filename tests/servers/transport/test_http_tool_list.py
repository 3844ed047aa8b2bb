"""A long list of a server at a URL comes in pages, and is what it would be if it were parsed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.servers.transport.sliced_json import PAGE
from desktop.values.packed_json import PackedText
from desktop.values.tool_types import ToolDefinition
from tests.http_stub import EVENTS, JSON, Answer, StubServer, serving, serving_sse
from tests.live_servers import connected, surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.servers.connection import ServerConnection
    from tests.http_stub import Request

COUNT = 2 * PAGE + 50
HEADER = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "Region"}}}


def schema(number: int) -> dict[str, Any]:
    text = {"type": "string", "description": f"äöü }},{{ {number} " * 20}
    return {"type": "object", "properties": {"text": text}, "required": ["text"]}


TOOLS = [
    {"name": f"t{number}", "inputSchema": HEADER if number == 7 else schema(number)}
    for number in range(COUNT)
]


def listing(kind: str, change: Callable[[bytes], bytes] = lambda body: body) -> Any:
    """Answers requests for the tools with all of them at once."""

    def answer(request: Request) -> Answer | None:
        if request.rpc != "tools/list":
            return None
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "result": {"tools": TOOLS}}
        body = change(json.dumps(reply, ensure_ascii=False).encode())
        return Answer(200, b"data: %b\n\n" % body if kind == EVENTS else body, kind)

    return answer


def lists_asked_for(stub: StubServer) -> int:
    return sum(request.rpc == "tools/list" for request in stub.seen)


def assert_whole(connection: ServerConnection) -> None:
    listed = [(tool.name, tool.input_schema) for tool in connection.tools]
    assert listed == [(tool["name"], tool["inputSchema"]) for tool in TOOLS]


@pytest.mark.parametrize("kind", [JSON, EVENTS])
async def test_a_long_list_is_read_in_pages_of_which_the_server_sends_one(kind: str) -> None:
    async with serving() as stub:
        stub.refuse = listing(kind)
        async with connected(stub.config(), surroundings()) as connection:
            assert_whole(connection)
            assert lists_asked_for(stub) == 1
            held = vars(ToolDefinition)["input_schema"].held
            parsed = [t.name for t in connection.tools if not isinstance(held(t), PackedText)]
            assert parsed == ["t7"]  # the SDK has to see which arguments are headers
            await connection.list_tools()
            assert lists_asked_for(stub) == 2
            assert_whole(connection)


async def test_a_long_list_over_sse_is_read_in_pages() -> None:
    async with serving_sse() as stub:
        stub.refuse = listing(JSON)
        async with connected(stub.config("/sse", transport="sse"), surroundings()) as connection:
            assert_whole(connection)
            assert lists_asked_for(stub) == 1


async def test_what_cannot_be_left_unread_is_parsed_as_before() -> None:
    async with serving() as stub:
        stub.refuse = listing(JSON, lambda body: body.replace(b'"t9"', b'"\\ud800t9"'))
        async with connected(stub.config(), surroundings()) as connection:
            assert len(connection.tools) == COUNT


async def test_a_server_gets_no_page_of_another_by_naming_it() -> None:
    """A cursor is its server's own: one that names a kept page asks for nobody else's."""
    async with serving() as stub, serving() as other:
        stub.refuse = listing(JSON)

        def name_a_page(request: Request) -> Answer | None:
            if request.rpc != "tools/list" or request.message.get("params", {}).get("cursor"):
                return None
            result: dict[str, Any] = {"tools": [], "nextCursor": "mcp-desktop/rest-of-page/1"}
            reply: dict[str, Any] = {
                "jsonrpc": "2.0",
                "id": request.message["id"],
                "result": result,
            }
            return Answer(200, json.dumps(reply).encode())

        other.refuse = name_a_page
        around = surroundings()
        async with (
            connected(stub.config(), around),
            connected(other.config(name="other"), around) as second,
        ):
            assert [tool.name for tool in second.tools] == ["echo"]
            assert lists_asked_for(other) == 2
