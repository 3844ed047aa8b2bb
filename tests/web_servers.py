"""Starts a server of `servers/` at a URL on a free port of this machine, and ends it."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from desktop.config.models import ServerConfig
from tests.patience import LIMIT
from tests.server_commands import FOLDER

if TYPE_CHECKING:
    from types import TracebackType

PATHS = {"http": "/mcp", "sse": "/sse"}


class WebServer:
    """One server process at one address; leaving the context kills it."""

    def __init__(
        self, transport: str, port: int = 0, *, path: str = "", script: str = "http_server"
    ) -> None:
        """Args: path: where SSE is served, if not where it usually is. script: the server."""
        self.script = script
        self.transport = transport
        self.path = path or PATHS[transport]
        with socket.create_server(("127.0.0.1", port)) as listening:
            self.port: int = listening.getsockname()[1]
            file = str(FOLDER / f"{script}.py")
            options = ["--transport", transport, "--socket", str(listening.fileno())]
            options += ["--path", self.path]
            self._process = subprocess.Popen(
                [sys.executable, file, *options],
                pass_fds=(listening.fileno(),),
                stderr=subprocess.DEVNULL,
            )

    def config(self, path: str = "", **fields: Any) -> ServerConfig:
        """How it is reached."""
        url = f"http://127.0.0.1:{self.port}{path or self.path}"
        values = {"name": "web", "transport": self.transport, "url": url}
        return ServerConfig.checked(**values | fields)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(LIMIT)

    def started_again(self) -> WebServer:
        """Another process at the same address."""
        return WebServer(self.transport, self.port, path=self.path, script=self.script)

    def __enter__(self) -> WebServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()
