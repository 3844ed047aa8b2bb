"""`capture`: serves a client over stdio or HTTP, and writes a profile of it.

Standard output belongs to the protocol. Must not know what is asked: see `capture` of the feature.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from desktop.base.atomic_file import write_file
from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import plain

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.features.client_profiles.capture import CaptureServer

_NOTES: Final = """\
Configure it in the client as a server named capture, as any other server: over stdio by this very
command, or with --http by http://127.0.0.1:PORT/mcp. FILE is written as soon as the client has said
who it is, and again whenever more is known. What only its model can tell, ask the model for:
  Call the tool look of the server capture, then its tool report with all that you got.
The file is a profile for clients and --client.

exit codes:
  0 the client has left   2 wrong usage, or the file cannot be written   130 interrupted

examples:
  mcp-desktop capture my-client.json
  mcp-desktop capture my-client.json --http 7790
  mcp-desktop clients notes --only my-client.json"""
MAX_MESSAGE: Final = 4_000_000
"""Bytes of one message; a longer one is not read."""


class CaptureOptions(Options):
    """What `capture` is told."""

    file: Path
    http: int | None = None


def run(args: list[str], console: Console) -> int:
    parser = make_parser("capture", COMMANDS["capture"], _NOTES)
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="the profile to write, a .json file"
    )
    parser.add_argument(
        "--http", metavar="PORT", type=int, help="serve on this port; 0: a free one"
    )
    options = parser.parse(args, CaptureOptions())
    if options.file.suffix != ".json" or not options.file.absolute().parent.is_dir():
        raise UsageError("FILE is a .json file in a folder that is there.")
    from desktop.features.client_profiles.capture import CaptureServer

    server = CaptureServer()
    note = _Note(server, options.file.absolute(), console)
    try:
        if options.http is None:
            _serve_stdio(server, note)
        else:
            _serve_http(server, note, options.http, console)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return Exit.DONE


class _Note:
    """Writes the profile whenever more is known."""

    def __init__(self, server: CaptureServer, file: Path, console: Console) -> None:
        self._server, self._file, self._console = server, file, console
        self._written = ""

    def write(self) -> None:
        """Raises `ConfigError` where the file cannot be written."""
        if not self._server.is_known:
            return
        from desktop.features.client_profiles.capture import to_json

        profile = self._server.profile()
        if (text := to_json(profile)) == self._written:
            return
        write_file(self._file, text.encode())
        self._written = text
        known = ", ".join(sorted(self._server.cells))
        self._console.note(plain(f"{profile.label} {profile.version}: {known}"))


def _serve_stdio(server: CaptureServer, note: _Note) -> None:
    while line := sys.stdin.buffer.readline(MAX_MESSAGE):
        for answer in server.answer(_read(line)):
            sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
        note.write()


def _read(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _serve_http(server: CaptureServer, note: _Note, port: int, console: Console) -> None:
    try:
        listening = HTTPServer(("127.0.0.1", port), partial(_Handler, server, note))
    except (OSError, OverflowError) as error:
        raise UsageError(f"Port {port} cannot be used: {error}.") from None
    with listening:
        console.note(f"Listening at http://127.0.0.1:{listening.server_port}/mcp")
        listening.serve_forever()


class _Handler(BaseHTTPRequestHandler):
    """One request of Streamable HTTP, answered as JSON; there is no stream of the server's own."""

    timeout = 60
    # HTTP/1.0: each request has a connection of its own, and none keeps others waiting.

    def __init__(self, server: CaptureServer, note: _Note, *given: object) -> None:
        self._capture, self._note = server, note
        super().__init__(*given)  # pyright: ignore[reportArgumentType] - those of the server

    def do_POST(self) -> None:
        """Answer one message."""
        length = self.headers.get("Content-Length", "")
        if not self._is_local() or not length.isdigit() or int(length) > MAX_MESSAGE:
            self._send(403 if not self._is_local() else 413)
            return
        answers = [
            each
            for each in self._capture.answer(_read(self.rfile.read(int(length))))
            if "id" in each
        ]
        self._note.write()
        self._send(200 if answers else 202, json.dumps(answers[0]).encode() if answers else b"")

    def do_GET(self) -> None:
        """Refuse a stream."""
        self._send(405)

    def do_DELETE(self) -> None:
        """Refuse to end a session: there is none."""
        self._send(405)

    def _is_local(self) -> bool:
        """Whether no page of a browser asks, under whatever name."""
        host = urlsplit(f"//{self.headers.get('Host', '')}").hostname
        return host in ("127.0.0.1", "localhost") and "Origin" not in self.headers

    def _send(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: what was asked is nobody's business."""
