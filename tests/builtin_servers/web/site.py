"""A web site on this computer that says what a test wants, and a name under which it is public."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from builtin_servers.web.http import AddressResolver

if TYPE_CHECKING:
    from collections.abc import Generator

PUBLIC = "public.test"


class Site:
    """The answers by path: status, headers, body; and the requests that came."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.port = 0

    def say(self, path: str, body: str | bytes = b"", status: int = 200, **headers: str) -> None:
        content = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (status, named, content)

    def url(self, path: str, host: str = PUBLIC) -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


class OneIsPublic(AddressResolver):
    """Takes the site's name for one of the public internet; all else is checked as ever."""

    def find(self, host: str, port: int) -> list[tuple[int, str]]:
        if host == PUBLIC:
            return [(2, "127.0.0.1")]
        return super().find(host, port)


@contextmanager
def running() -> Generator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append((self.path, dict(self.headers.items())))
            status, headers, body = site.answers.get(self.path, (404, {}, b"nothing here"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
