"""Each tool's result breaks the protocol in the way its name says; --list bad breaks the list."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, option, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RESULTS: dict[str, Any] = {
    "content_is_text": {"content": "text"},
    "no_content": {},
    "unknown_content_type": {"content": [{"type": "hologram", "src": "x"}]},
    "text_without_text": {"content": [{"type": "text"}]},
    "image_is_no_base64": {"content": [{"type": "image", "data": "%%%", "mimeType": "image/png"}]},
    "is_error_is_text": {"content": [], "isError": "yes"},
    "result_is_list": [],
    "result_is_number": 7,
}
BAD_LIST = {
    "tools": [
        {"name": "no_schema"},
        {"name": "schema_is_text", "inputSchema": "none"},
        {"name": 7, "inputSchema": {"type": "object"}},
    ]
}


def wrong(name: str) -> Tool:
    return Tool(name, lambda call: call.server.answer(call.id, RESULTS[name]))


def wrong_id(call: Call) -> None:
    call.server.answer(987654, text_result("for nobody"))


def answers_twice(call: Call) -> str:
    call.server.answer(call.id, text_result("first"))
    return "second"


def never(_: Call) -> None:
    return None


def error_without_code(call: Call) -> None:
    call.server.send({"jsonrpc": "2.0", "id": call.id, "error": {"message": "no code"}})


def result_and_error(call: Call) -> None:
    error = {"code": -32000, "message": "both"}
    message = {"jsonrpc": "2.0", "id": call.id, "result": text_result("both"), "error": error}
    call.server.send(message)


def protocol_error(call: Call) -> None:
    call.server.refuse(call.id, -32603, "internal error")


OTHERS = (wrong_id, answers_twice, never, error_without_code, result_and_error, protocol_error)
TOOLS = [ECHO, *(wrong(name) for name in RESULTS), *(Tool(f.__name__, f) for f in OTHERS)]
server = Server("wrong-result", TOOLS)
if option("list") == "bad":
    server.answers["tools/list"] = lambda _: BAD_LIST
server.serve()
