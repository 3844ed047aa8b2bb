"""One server of the project's own for all four providers' wires, on this machine alone.

It refuses with 400 what the provider would refuse, else answers "ok", or what a test puts into
`answers` (by wire, a function from the request to a `Reply`, whose `pieces` may be a stream), or
what a `Script` says (`play`).
"""

from __future__ import annotations

import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback import (
    anthropic_messages,
    counters,
    gemini_content,
    models,
    openai_chat,
    openai_responses,
)
from tests.features.models.loopback.exchange import Reply, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.features.models.loopback.exchange import Wire
    from tests.features.models.loopback.script import Script

WIRES = (
    openai_chat.WIRE,
    openai_responses.WIRE,
    anthropic_messages.WIRE,
    gemini_content.WIRE,
)
LIMIT = 20.0
"""Seconds that a held connection waits for its client at most."""


class Loopback:
    """Listens from when it is made until it is closed; `requests` are all that came."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answers: dict[Wire, Callable[[Request], Reply]] = {}
        self.count: Callable[[Request], Reply | None] = counters.reply
        """What the counters say."""
        self.hung_up = threading.Event()
        """A client closed a connection that was held for it: wait for it in a thread."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def base_url(self, api_format: ApiFormat) -> str:
        """The address that a client of this format is given."""
        is_openai = api_format in {ApiFormat.OPENAI, ApiFormat.OPENAI_RESPONSES}
        return f"{self.url}/v1" if is_openai else self.url

    @property
    def last(self) -> Request:
        return self.requests[-1]

    def play(self, script: Script) -> None:
        """Answer from the script from now on, over all wires."""
        self.answers = {wire: partial(script.answer, wire) for wire in WIRES}

    def reset(self) -> None:
        """Forget what was asked and what is to be answered."""
        self.requests.clear()
        self.answers.clear()
        self.count = counters.reply
        self.hung_up.clear()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reply(self, request: Request) -> Reply:
        if (counted := self.count(request)) is not None:
            return counted
        path = request.path.partition("?")[0]
        wire = next((item for item in WIRES if item.matches(path)), None)
        if wire is None:
            return Reply({"error": {"message": f"no such path: {path}"}}, 404)
        if found := wire.violations(request):
            return Reply(wire.refusal("; ".join(found), 400), 400)
        return self.answers.get(wire, wire.answer)(request)


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            loopback.requests.append(Request(self.path, dict(self.headers), b"{}"))
            self._send(models.reply(loopback.last))

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            request = Request(self.path, dict(self.headers), self.rfile.read(size))
            loopback.requests.append(request)
            self._send(loopback.reply(request))

        def _send(self, reply: Reply) -> None:
            self.close_connection = True
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Connection", "close")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.ending == "cut":
                self.send_header("Content-Length", "100000000")
            self.end_headers()
            try:
                for piece in reply.parts():
                    self.wfile.write(piece)
                    self.wfile.flush()
                if reply.ending == "held":
                    self.connection.settimeout(LIMIT)
                    self.connection.recv(1)
                    loopback.hung_up.set()
            except OSError:
                loopback.hung_up.set()

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing: the requests are kept."""

    return Handler
