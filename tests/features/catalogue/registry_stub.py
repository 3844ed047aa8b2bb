"""An MCP registry on this machine: the documented API over made-up servers, in a thread.

A test may answer in its place (`answer`): with other bytes, without an end, or not at all.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from desktop.features.catalogue.entry import OFFICIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    Answer = Callable[[BaseHTTPRequestHandler], bool]

RECORDED = Path(__file__).parent / "servers.json"
"""Answers of the documented shape: made-up entries, some like servers that are published."""


def recorded() -> list[dict[str, Any]]:
    return json.loads(RECORDED.read_text("utf-8"))["servers"]


class RegistryStub:
    """What it has, newest last, and what it was asked."""

    def __init__(self, servers: Iterable[dict[str, Any]]) -> None:
        self.servers = list(servers)
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Answer = lambda _: False
        """Answers a request itself and says so by True."""
        self.stopped = threading.Event()
        """Set at the end: who keeps a connection waiting waits for this."""
        self.address = ""

    def publish(self, name: str, version: str, /, **changes: Any) -> None:
        """A new version of a server; `changes` replace keys of it."""
        old = self._latest(name)
        assert old is not None
        server = {**old["server"], "version": version, **changes}
        self.servers.append({"server": server, "_meta": old["_meta"]})

    def set_status(self, name: str, status: str, **more: str) -> None:
        """As its publisher does; `more` are keys beside it, as `statusMessage`."""
        old = self._latest(name)
        assert old is not None
        old["_meta"] = {OFFICIAL: {**old["_meta"][OFFICIAL], "status": status, **more}}

    def respond(self, target: str) -> tuple[int, object]:
        parts = urlsplit(target)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        path = [unquote(word) for word in parts.path.split("/")[1:]]
        if path == ["v0.1", "servers"]:
            return 200, self._list(query)
        if len(path) == 5 and path[:2] == ["v0.1", "servers"] and path[3] == "versions":
            for item in reversed(self.servers):
                server = item["server"]
                is_shown = "include_deleted" in query or not _is_deleted(item)
                is_asked = path[4] in {"latest", server["version"]}
                if server["name"] == path[2] and is_asked and is_shown:
                    return 200, item
        return 404, {"title": "Not Found", "status": 404, "detail": "Server not found"}

    def _list(self, query: dict[str, str]) -> object:
        latest = {item["server"]["name"]: item for item in self.servers}
        word = query.get("search", "").lower()
        found = [
            item
            for item in latest.values()
            if not _is_deleted(item)
            and word in f"{item['server']['name']}\n{item['server'].get('description', '')}".lower()
        ]
        start, limit = int(query.get("cursor", 0)), int(query.get("limit", 30))
        page = found[start : start + limit]
        more = {"nextCursor": str(start + limit)} if start + limit < len(found) else {}
        return {"servers": page, "metadata": {"count": len(page), **more}}

    def _latest(self, name: str) -> dict[str, Any] | None:
        named = [item for item in self.servers if item["server"]["name"] == name]
        return named[-1] if named else None


def _is_deleted(item: dict[str, Any]) -> bool:
    return item.get("_meta", {}).get(OFFICIAL, {}).get("status") == "deleted"


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> bool:
    """One whole answer."""
    handler.send_response(status)
    for name, value in {"content_type": "application/json", **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
    return True


@contextmanager
def serving_registry(
    servers: Iterable[dict[str, Any]] | None = None,
) -> Generator[RegistryStub]:
    """A registry that listens until the block ends; by itself with the recorded servers."""
    stub = RegistryStub(recorded() if servers is None else servers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stub.asked.append(self.path)
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            try:
                if not stub.answer(self):
                    status, document = stub.respond(self.path)
                    send(self, status, json.dumps(document).encode())
            except OSError:
                self.close_connection = True  # who asked has left

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: a test sees `asked`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield stub
    finally:
        stub.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
