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
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import TextResource
from mcp_types import Completion, CompletionArgument, LoggingLevel

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


@server.tool()
async def change(context: Context[object]) -> str:
    """Offer one more resource and one more prompt, and say so."""
    server.add_resource(TextResource(uri="note://new", name="new", text="new"))
    server.add_prompt(Prompt.from_function(greet, name="new"))
    await context.notify_resources_changed()
    await context.notify_prompts_changed()
    return "changed"


@server.tool()
async def update(uri: str, context: Context[object]) -> str:
    """Say that a resource has changed."""
    await context.notify_resource_updated(uri)
    return "told"


@server.tool()
async def say(level: LoggingLevel, context: Context[object]) -> str:
    """Send a log message."""
    await context.log(level, "said", logger_name="part")  # pyright: ignore[reportDeprecated]
    return "logged"


@server.resource("note://first", title="First", mime_type="text/plain")
def first() -> str:
    return "one"


@server.resource("note://item/{number}")
def item(number: str) -> str:
    return f"item {number}"


@server.prompt(title="Greet")
def greet(who: str) -> str:
    """Say hello."""
    return f"Hello {who}"


@server.completion()
async def complete(ref: object, argument: CompletionArgument, context: object) -> Completion:
    return Completion(values=[f"{argument.value}!"])


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
