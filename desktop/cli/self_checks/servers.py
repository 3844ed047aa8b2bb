"""Checks servers the way a person's own are used: started by the core, called by the executor.

Each built-in server is tried in a folder of the self-test's, and a server over Streamable HTTP on
the loopback interface shows that one can be reached: at `/mcp` it answers as the calculator, each
request with one JSON document (specification, basic/transports: a server need not stream), at `/`
with a page for `fetch`. It is open only while the checks run.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct

from builtin_servers.calculator import SERVER
from builtin_servers.catalog import CATALOG
from builtin_servers.framework.protocol import ProtocolSession, RpcError, RpcRequest, parse_message
from builtin_servers.framework.tool import CallContext
from desktop.cli.self_checks.check import CheckFailedError
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from desktop.config.models import ServerConfig
    from desktop.core import Core

MAX_REQUEST_BYTES = 1_000_000
"""Bytes of a request; longer ones are refused."""
PAGE = "A page of the self-test"
_MANY: Final = 1_000
"""Tools of a long list."""


class _Loopback(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.session = ProtocolSession(SERVER)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if size > MAX_REQUEST_BYTES:
            self.rfile.read(
                min(size, 2 * MAX_REQUEST_BYTES)
            )  # who is still sending does not see the answer
            self.send_error(413)
            return
        request = None
        try:
            message = parse_message(self.rfile.read(size))
            request = message if isinstance(message, RpcRequest) else None
            answer = None if request is None else self._answer(request)
        except RpcError as error:
            answer = error.to_message(request.id if request else None)
        self._reply(answer)

    def do_GET(self) -> None:
        if self.path != "/":
            self.send_error(405)  # no stream of messages that nobody asked for
            return
        self._send(200, "text/html", f"<html><body><h1>{PAGE}</h1></body></html>".encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: stderr is the terminal's."""

    def _answer(self, request: RpcRequest) -> dict[str, Any] | None:
        if request.id is None:
            return None
        session = cast("_Loopback", self.server).session
        if request.method != "tools/call":
            result = session.answer(request)
        else:
            tool = session.find_tool(request)
            call = CallContext(request.params.get("arguments", {}), _unheard)
            result = session.to_result(request, tool.handler(call), is_error=False)
        return {"jsonrpc": "2.0", "id": request.id, "result": result}

    def _reply(self, answer: dict[str, Any] | None) -> None:
        body = b"" if answer is None else json.dumps(answer).encode()
        self._send(202 if answer is None else 200, "application/json", body)

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serve_on_loopback() -> Generator[str]:
    """The address of a server that runs inside the block."""
    server = _Loopback()
    thread = Thread(target=server.serve_forever, args=(0.02,), name="loopback", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(1.0)


def _unheard(progress: float, total: float | None, message: str) -> None:
    """Progress has no way back in a reply that is one document."""


class TrialCall(Struct, frozen=True):
    """A call that touches nothing of the person's, and a text its result has to have."""

    tool: str
    arguments: dict[str, Any]
    expected: str


SUM: Final = TrialCall("evaluate", {"expression": "2*(3+4)"}, "14")


async def call_server(core: Core, config: ServerConfig, call: TrialCall) -> str:
    """Connect the server, list its tools, make the call.

    Raises:
        CheckFailedError: one of the three went wrong.
    """
    connection = core.service.add_server(config.model_copy(update={"enabled": True}))
    await connection.connect()
    if not connection.is_connected:
        raise CheckFailedError(connection.state.words)
    count = len(connection.tools)
    listed = "1 tool" if count == 1 else f"{count} tools"
    if not connection.tools:
        raise CheckFailedError("connected, but without tools")
    key = f"{config.name}:{call.tool}"
    result = await core.executor.run(ToolCall(key, call.arguments, origin="terminal"))
    if result.error is not None:
        raise CheckFailedError(f"{key}: {result.error.message}")
    if call.expected not in result.output:
        raise CheckFailedError(f"{key} answered {result.output[:200]!r}, not {call.expected!r}")
    return f"{listed}, {call.tool} answered"


_TEXT = "written by the self-test: ü"


class BuiltinTrial(Struct, frozen=True):
    """One call of a built-in server; `arguments` follow its name."""

    call: TrialCall
    arguments: tuple[str, ...] = ()


def builtin_trials(folder: Path, address: str) -> dict[str, BuiltinTrial]:
    """By built-in server. Makes `folder`; `address` is where `loopback` serves."""
    folder.mkdir()
    note = folder / "note.txt"
    note.write_text(_TEXT, encoding="utf-8")
    database = folder / "empty.db"
    database.touch()  # SQLite takes it for a database without tables
    thing = {"name": "self-test", "entityType": "run", "observations": ["it was here"]}
    trials = {
        "calculator": BuiltinTrial(SUM),
        "time": BuiltinTrial(TrialCall("get_current_time", {"timezone": "UTC"}, "UTC")),
        "filesystem": BuiltinTrial(
            TrialCall("read_text_file", {"path": str(note)}, _TEXT), ("--read-only", str(folder))
        ),
        "shell": BuiltinTrial(
            TrialCall("run_command", {"command": "echo self-test"}, "self-test"),
            ("--cwd", str(folder)),
        ),
        "fetch": BuiltinTrial(
            TrialCall("fetch", {"url": f"{address}/"}, PAGE),
            ("--allow-private", "--ignore-robots-txt"),
        ),
        "memory": BuiltinTrial(
            TrialCall("create_entities", {"entities": [thing]}, "it was here"),
            ("--file", str(folder / "memory.db")),
        ),
        "sqlite": BuiltinTrial(
            TrialCall("read_query", {"query": "SELECT 6 * 7 AS answer"}, "42"),
            (str(database),),
        ),
    }
    return {name: trials[name] for name in CATALOG}


async def read_long_list() -> str:
    """A list of tools that comes in pages; what reads it is imported for no shorter one."""
    from desktop.servers.transport.packed_tool_list import PackedToolList

    tools = [{"name": f"tool_{n}", "inputSchema": {"type": "object"}} for n in range(_MANY)]
    message = {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}
    listed = PackedToolList.find(json.dumps(message).encode())
    if listed is None or listed.read_page() or not listed.page["tools"]:
        raise CheckFailedError("it cannot be read")
    return f"{len(listed.page['tools'])} of {_MANY} tools"
