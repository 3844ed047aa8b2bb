"""A server over Streamable HTTP on this machine's own loopback, to see that one can be reached.

At `/mcp` the calculator's answers, each request as one JSON document (specification,
basic/transports: a server need not stream), to one client, without a session; at `/` a page. Open
only while the checks run.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

from builtin_servers.calculator import SERVER
from builtin_servers.framework.protocol import ProtocolSession, RpcError, RpcRequest, parse_message
from builtin_servers.framework.tool import CallContext

if TYPE_CHECKING:
    from collections.abc import Generator

LARGEST = 1_000_000
"""Bytes of a request; longer ones are refused."""
PAGE = "A page of the self-test"


class _Loopback(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.session = ProtocolSession(SERVER)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if size > LARGEST:
            self.rfile.read(min(size, 2 * LARGEST))  # who is still sending does not see the answer
            self.send_error(413)
            return
        request = None
        try:
            request = parse_message(self.rfile.read(size))
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
def serving() -> Generator[str]:
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
