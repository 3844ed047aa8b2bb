"""Has everything that a server can have, made with the official SDK: --transport stdio|http|sse.

At a URL it serves on the listening socket --socket FD. What a tool asks of the person goes the way
of the protocol's generation that was agreed on.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
from typing import Annotated, Any

sys.path.insert(0, __file__.rpartition("/tests/")[0])

import mcp_types as types
from mcp.server import MCPServer
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context  # noqa: TC002 - the server reads it at run time
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from mcp.shared.exceptions import UrlElicitationRequiredError
from pydantic import BaseModel

server = MCPServer("whole-protocol", instructions="Has everything.")
visited: list[str] = []
cancelled: list[str] = []


class Person(BaseModel):
    """What the form asks for."""

    name: str
    age: int = 30


def ask_person() -> Elicit[Person]:
    return Elicit("Who are you?", Person)


def ask_model() -> Sample:
    message = types.SamplingMessage(role="user", content=types.TextContent(text="Say a word."))
    return Sample([message], max_tokens=50, system_prompt="Be brief.")


def ask_roots() -> ListRoots:
    return ListRoots()


@server.tool()
def add(a: int, b: int) -> int:
    """The sum."""
    return a + b


@server.tool()
async def count(to: int, context: Context[Any]) -> str:
    """Tell of the progress."""
    for step in range(1, to + 1):
        await context.report_progress(step, to, f"step {step}")
    return f"counted to {to}"


@server.tool()
async def say(word: str, context: Context[Any]) -> str:
    """Write a word into the log."""
    await context.warning(word, logger_name="words")  # pyright: ignore[reportDeprecated]
    return "said"


@server.tool()
def meet(person: Annotated[ElicitationResult[Person], Resolve(ask_person)]) -> str:
    """Ask who is there."""
    if isinstance(person, AcceptedElicitation):
        return f"{person.data.name}, {person.data.age}"
    return type(person).__name__


@server.tool()
def think(answer: Annotated[types.CreateMessageResult, Resolve(ask_model)]) -> str:
    """Ask the client's model."""
    content = answer.content
    return content.text if isinstance(content, types.TextContent) else content.type


@server.tool()
def folders(found: Annotated[types.ListRootsResult, Resolve(ask_roots)]) -> str:
    """Ask for the client's folders."""
    return " ".join(str(root.uri) for root in found.roots)


@server.tool()
def pay() -> str:
    """Only after a visit to an address."""
    if not visited:
        visited.append("https://pay.example/visit")
        url = types.ElicitRequestURLParams(
            message="Pay first", url=visited[0], elicitation_id="payment"
        )
        raise UrlElicitationRequiredError([url])
    return "paid"


@server.tool()
async def wait(context: Context[Any]) -> str:
    """Until it is cancelled."""
    await context.report_progress(0, None, "waiting")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        cancelled.append("wait")
        raise
    return ""


@server.tool()
def was_cancelled() -> bool:
    """Whether `wait` was."""
    return bool(cancelled)


def new() -> str:
    """What is new."""
    return "new"


@server.tool()
async def grow(context: Context[Any]) -> str:
    """One more tool, resource and prompt; and the note is another one."""
    server.add_tool(new)
    server.resource("note://new")(new)
    server.prompt()(new)
    session = context.session
    if context.protocol_version == "2026-07-28":
        await context.notify_tools_changed()
        await context.notify_resources_changed()
        await context.notify_prompts_changed()
        await context.notify_resource_updated("note://one")
    else:
        await session.send_tool_list_changed()
        await session.send_resource_list_changed()
        await session.send_prompt_list_changed()
        await session.send_resource_updated("note://one")
    return "grown"


@server.resource("note://one", title="One", mime_type="text/markdown")
def note() -> str:
    """A note."""
    return "# One"


@server.resource("note://bytes", mime_type="application/octet-stream")
def some_bytes() -> bytes:
    """Bytes."""
    return b"\0\1\2"


@server.resource("note://item/{number}", title="Items")
def item(number: str) -> str:
    """An item."""
    return f"item {number}"


@server.prompt(title="Greeting")
def greet(who: str) -> str:
    """Says hello."""
    return f"Hello {who}"


@server.completion()
async def complete(
    ref: types.PromptReference | types.ResourceTemplateReference,
    argument: types.CompletionArgument,
    context: types.CompletionContext | None,
) -> types.Completion:
    """Names, and numbers."""
    known = ["Ada", "Alan"] if isinstance(ref, types.PromptReference) else ["1", "12", "2"]
    found = [value for value in known if value.startswith(argument.value)]
    return types.Completion(values=found, total=len(found), has_more=False)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--transport", choices=("stdio", "http", "sse"), default="stdio")
    options.add_argument("--socket", type=int)
    options.add_argument("--path", default="/sse")
    wanted = options.parse_args()
    if wanted.transport == "stdio":
        server.run("stdio")
        return
    import uvicorn

    is_sse = wanted.transport == "sse"
    app = server.sse_app(sse_path=wanted.path) if is_sse else server.streamable_http_app()
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=wanted.socket)])


if __name__ == "__main__":
    main()
