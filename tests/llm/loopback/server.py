"""One server of the project's own for all four providers' wires, on this machine alone.

It refuses with 400 what the provider would refuse, else answers "ok", or what a test puts into
`answers`: by wire, a function from the request to a `Reply`, whose `pieces` may be a stream.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.llm.loopback import anthropic_messages, gemini_content, openai_chat, openai_responses
from tests.llm.loopback.exchange import Reply, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.llm.loopback.exchange import Wire

WIRES = (
    openai_chat.WIRE,
    openai_responses.WIRE,
    anthropic_messages.WIRE,
    gemini_content.WIRE,
)


class Loopback:
    """Listens from when it is made until it is closed; `requests` are all that came."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answers: dict[Wire, Callable[[Request], Reply]] = {}
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                request = Request(self.path, dict(self.headers), self.rfile.read(size))
                loopback.requests.append(request)
                self._send(loopback._reply(request))

            def _send(self, reply: Reply) -> None:
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Connection", "close")
                self.end_headers()
                for piece in reply.parts():
                    self.wfile.write(piece)
                    self.wfile.flush()
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Says nothing: the requests are kept."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def last(self) -> Request:
        return self.requests[-1]

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _reply(self, request: Request) -> Reply:
        path = request.path.partition("?")[0]
        wire = next((one for one in WIRES if one.matches(path)), None)
        if wire is None:
            return Reply({"error": {"message": f"no such path: {path}"}}, 404)
        if found := wire.violations(request.body):
            return Reply(wire.refusal("; ".join(found)), 400)
        return self.answers.get(wire, wire.answer)(request)
