"""A real server at a URL, made with the official SDK: --transport http|sse, --socket FD.

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
    wanted = options.parse_args()
    app = server.streamable_http_app() if wanted.transport == "http" else server.sse_app()
    listening = socket.socket(fileno=wanted.socket)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
