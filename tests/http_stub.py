"""A server at a URL that answers as a test tells it to.

Each request is answered by `StubServer.refuse`, where that has an answer, and else as a
well-behaved server of Streamable HTTP with sessions would answer it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.config.models import ServerConfig

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, Callable, Mapping

JSON, EVENTS, TEXT, HTML = "application/json", "text/event-stream", "text/plain", "text/html"


class Request(NamedTuple):
    """One request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        return json.loads(self.body) if self.body else {}

    @property
    def rpc(self) -> str:
        """The MCP method; empty where there is none."""
        return str(self.message.get("method", ""))


class Answer(NamedTuple):
    """What is sent back; the connection ends with it."""

    status: int = 200
    body: bytes = b""
    kind: str = JSON
    headers: Mapping[str, str] = {}


def error(status: int, code: int, message: str, **headers: str) -> Answer:
    """A refusal with a JSON-RPC error without an id, as the TypeScript SDK sends it."""
    reply = {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": None}
    return Answer(status, json.dumps(reply).encode(), headers=headers)


class StubServer:
    """What a test says and sees of the server; one tool, `echo`."""

    def __init__(self) -> None:
        self.refuse: Callable[[Request], Answer | None] = lambda _: None
        self.seen: list[Request] = []
        self.sessions: set[str] = set()
        self.address = ""
        self.is_heard = asyncio.Event()
        """Whether somebody listens to its stream of events."""
        self.is_called = asyncio.Event()
        """Whether a call was answered, if only as accepted."""
        self.end_streams: Callable[[], object] = lambda: None
        """Ends that stream; one that has not begun is refused."""
        self._count = 0

    def config(self, path: str = "/mcp", **fields: Any) -> ServerConfig:
        values = {"name": "web", "transport": "http", "url": self.address + path, "era": "legacy"}
        return ServerConfig.checked(**values | fields)

    def calls(self) -> int:
        """Tool calls that came here, carried out or not."""
        return sum(request.rpc == "tools/call" for request in self.seen)

    def answer(self, request: Request) -> Answer:
        if not request.method:
            return Answer(400)
        self.seen.append(request)
        return self.refuse(request) or self._obey(request)

    def _obey(self, request: Request) -> Answer:
        if request.method != "POST":
            return Answer(405)
        message, headers = request.message, {}
        if "id" not in message:
            return Answer(202)
        result: dict[str, Any] = {}
        match request.rpc:
            case "initialize":
                self._count += 1
                headers["mcp-session-id"] = session = f"session-{self._count}"
                self.sessions.add(session)
                result = {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "stub", "version": "1"},
                }
            case "tools/list":
                result = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
            case "tools/call":
                text = request.headers.get("mcp-session-id", "")
                result = {"content": [{"type": "text", "text": text}]}
            case _:
                return error(400, -32601, "Method not found")
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return Answer(200, json.dumps(reply).encode(), headers=headers)


@contextlib.asynccontextmanager
async def serving(
    port: int = 0, *, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[StubServer]:
    """A server that listens until the block ends; with `tls`, to https."""
    stub = StubServer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            writer.write(_on_wire(stub.answer(await _read(reader))))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", port, ssl=tls)
    async with server:
        scheme = "https" if tls is not None else "http"
        stub.address = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield stub


@contextlib.asynccontextmanager
async def serving_sse(
    endpoint: str = "/messages", mark: bytes = b"", *, begins_late: bool = False
) -> AsyncGenerator[StubServer]:
    """The same server over SSE: what it has to say comes as events, refusals as they are.

    Args:
        endpoint: where messages go. Empty: that of Streamable HTTP, which answers calls so alone.
        mark: what its stream begins with.
        begins_late: not even its head is sent before the first event, as Node.js does; and calls
            are answered when the tools are asked for, when they were surely accepted.
    """
    stub = StubServer()
    late: list[bytes] = []
    events: asyncio.Queue[bytes] = asyncio.Queue()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            request = await _read(reader)
            if request.method == "GET":
                stub.is_heard.set()
                first = await events.get() if begins_late else b""
                if first or not begins_late:
                    await _send_events(writer, events, endpoint, mark + first)
            answer, event = stub.answer(request), b""
            if answer.status == HTTPStatus.OK and (endpoint or request.rpc == "tools/call"):
                event = b"data: " + answer.body + b"\n\n"
                answer = Answer(HTTPStatus.ACCEPTED)
            writer.write(_on_wire(answer))
            await writer.drain()
            if request.rpc == "tools/call":
                stub.is_called.set()
            late.extend([event] if event else [])
            if not begins_late or request.rpc == "tools/list":
                while late:
                    events.put_nowait(late.pop(0))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        stub.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        stub.end_streams = lambda: events.put_nowait(b"")
        yield stub
        stub.end_streams()


async def _send_events(
    writer: asyncio.StreamWriter, events: asyncio.Queue[bytes], endpoint: str, mark: bytes
) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
    writer.write(mark)
    if endpoint:
        writer.write(f"event: endpoint\ndata: {endpoint}\n\n".encode())
    await writer.drain()
    while event := await events.get():
        writer.write(event)
        await writer.drain()
    raise ConnectionResetError


async def _read(reader: asyncio.StreamReader) -> Request:
    beginning = await reader.readexactly(1)
    if not beginning.isalpha():  # TLS, to a server of plain HTTP
        return Request("", "", {}, b"")
    head = (beginning + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body)


def _on_wire(answer: Answer) -> bytes:
    lines = {"content-length": str(len(answer.body)), "connection": "close", **answer.headers}
    if answer.kind:
        lines.setdefault("content-type", answer.kind)
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    status = f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n"
    return f"{status}{head}\r\n".encode("latin-1") + answer.body
