"""A server at a URL with one fault of the table: the first part of the path names it.

Speaks HTTP by hand on loopback, so that each byte may be wrong. Runs in the loop of the test; as a
script (`--port N`) it is there for other clients.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
from typing import Any

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.misbehaving_servers.http_faults import BY_NAME, HttpFault

SESSION = "s-1"
TOOL = {"name": "good", "inputSchema": {"type": "object"}}
MAX_HEAD = 64 * 1024


class Request:
    """One request, read whole."""

    def __init__(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        self.method = method
        self.path = path
        self.headers = headers
        self.message: dict[str, Any] = json.loads(body) if body else {}


class SloppyWebServer:
    """Listens from `async with` on; `url(fault)` is where a fault lives."""

    def __init__(self, port: int = 0) -> None:
        self.port = port

    def url(self, fault: str) -> str:
        return f"http://127.0.0.1:{self.port}/{fault}/mcp"

    async def __aenter__(self) -> SloppyWebServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if (request := await read_request(reader)) is not None:
                writer.write(answer(request, BY_NAME.get(request.path.split("/")[1], NO_FAULT)))
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = head[0].split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


NO_FAULT = HttpFault("header", "none")


def answer(request: Request, fault: HttpFault) -> bytes:
    """The bytes that answer a request."""
    if request.method != "POST":
        return other_method(request, fault)
    if "id" not in request.message:
        return http(*fault.accepted)
    method = request.message["method"]
    if fault.at in {"", method} and fault.status is not None:
        return http(*fault.status)
    message = {"jsonrpc": "2.0", "id": request.message["id"], "result": result(method, request)}
    is_wrong = fault.at in {"", method}
    headers = {} if method != "initialize" else {"Mcp-Session-Id": SESSION}
    if not is_wrong:
        return http(200, body(message), headers)
    message = fault.message(message)
    if fault.events is not None:
        return http(200, fault.events(json.dumps(message)), headers, "text/event-stream")
    content = fault.body(json.dumps(message)) if fault.body is not None else body(message)
    return http(200, content, headers | fault.headers, fault.content_type, fault.version)


def other_method(request: Request, fault: HttpFault) -> bytes:
    """GET asks for a stream of the server's own, DELETE ends the session."""
    default = (405, b"") if request.method == "GET" else (200, b"")
    return http(*fault.others.get(request.method, default))


def result(method: str, request: Request) -> dict[str, Any]:
    if method == "initialize":
        version = request.message["params"]["protocolVersion"]
        info = {"name": "sloppy", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    return {"content": [{"type": "text", "text": "ok"}]}


def body(message: Any) -> bytes:
    return json.dumps(message).encode()


def http(
    status: int,
    content: bytes = b"",
    headers: dict[str, str] | None = None,
    kind: str = "application/json",
    version: str = "HTTP/1.1",
) -> bytes:
    given = {"Content-Type": kind, "Content-Length": str(len(content)), "Connection": "close"}
    if headers and headers.get("Content-Encoding") == "gzip":
        content = gzip.compress(content)
        given["Content-Length"] = str(len(content))
    if headers and headers.get("Transfer-Encoding") == "chunked":
        content = b"".join(chunk(content[n : n + 7]) for n in range(0, len(content), 7)) + chunk(
            b""
        )
        del given["Content-Length"]
    lines = [f"{name}: {value}" for name, value in (given | (headers or {})).items() if value]
    return "\r\n".join([f"{version} {status} X", *lines, "", ""]).encode("latin-1") + content


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


async def main() -> None:
    async with SloppyWebServer(int(sys.argv[sys.argv.index("--port") + 1])):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
