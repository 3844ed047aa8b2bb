"""A real server at a URL, made with the official SDK: --transport http|sse, --socket FD,
--path P, where SSE is served.

It serves on a socket that is listening already, so whoever started it need not wait for it.
"""

from __future__ import annotations

import argparse
import os
import socket

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context  # noqa: TC002 - the server reads it at run time

server = MCPServer("http-server", instructions="A server at a URL.")


@server.tool()
def echo(message: str) -> str:
    """Say it again."""
    return message


@server.tool()
def pid() -> int:
    """The process that answers."""
    return os.getpid()


@server.tool()
def big(size: int) -> str:
    """A text of this many characters."""
    return "x" * size


@server.tool()
def header(name: str, context: Context[object]) -> str:
    """A header of the request."""
    return (context.headers or {}).get(name, "")


@server.tool()
def crash() -> str:
    """End the process in the middle of a call."""
    os._exit(1)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--transport", choices=("http", "sse"))
    options.add_argument("--socket", type=int)
    options.add_argument("--path", default="/sse")
    wanted = options.parse_args()
    is_sse = wanted.transport == "sse"
    app = server.sse_app(sse_path=wanted.path) if is_sse else server.streamable_http_app()
    listening = socket.socket(fileno=wanted.socket)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
