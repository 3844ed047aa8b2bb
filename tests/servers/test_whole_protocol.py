"""Everything that a server of the official SDK can have works over each transport, in each era.

One connection a way: what of it does not work is told with the rest that does.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.servers.requests import (
    Accepted,
    Declined,
    ElicitationRequest,
    SamplingAnswer,
    SamplingRequest,
    ServerRequests,
    UrlElicitationRequest,
)
from desktop.values.tool_types import Content
from tests.live_servers import connected, surroundings, until
from tests.patience import LIMIT
from tests.server_commands import FOLDER
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from desktop.servers.connection import ServerConnection
    from desktop.servers.requests import Answer, PendingRequest
    from desktop.values.tool_types import Progress
    from tests.conftest import ExpectedLogs

SCRIPT = "whole_protocol"
ERAS = {"2025-11-25": "legacy", "2026-07-28": "2026-07-28"}
WAYS = [
    pytest.param(transport, era, id=f"{transport}-{era}")
    for transport in ("stdio", "http", "sse")
    for era in ERAS
]


class Client:
    """One connection to the server, with somebody there who answers what it asks."""

    def __init__(
        self, connection: ServerConnection, requests: ServerRequests, era: str, root: Path
    ) -> None:
        self.connection = connection
        self.era = era
        self.root = root
        self.asked: list[PendingRequest] = []
        requests.answerer = self._answer

    def _answer(self, pending: PendingRequest) -> Answer:
        self.asked.append(pending)
        match pending.request:
            case ElicitationRequest():
                return Accepted({"name": "Ada", "age": 36})
            case SamplingRequest():
                return SamplingAnswer((Content("text", "word"),), "a model")
            case UrlElicitationRequest(blocks_call=True):
                return Accepted()
            case _:
                return Declined()

    async def call(self, tool: str, **arguments: Any) -> str:
        result = await self.connection.call_tool(tool, arguments)
        assert result.success, result.error
        return result.output


async def tools(client: Client) -> None:
    assert {"add", "wait"} <= {tool.name for tool in client.connection.tools}
    result = await client.connection.call_tool("add", {"a": 2, "b": 3})
    assert result.structured == {"result": 5}


async def progress(client: Client) -> None:
    told: list[Progress] = []
    await client.connection.call_tool("count", {"to": 3}, on_progress=told.append)
    assert [(step.progress, step.total, step.message) for step in told] == [
        (1, 3, "step 1"),
        (2, 3, "step 2"),
        (3, 3, "step 3"),
    ]


async def cancellation(client: Client) -> None:
    began = asyncio.Event()
    call = spawn(client.connection.call_tool("wait", {}, on_progress=lambda _: began.set()), "call")
    await began.wait()
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call
    while await client.call("was_cancelled") != "true":
        pass


async def logging(client: Client) -> None:
    heard: list[tuple[str, str, str]] = []
    end = client.connection.log_received.connect(
        lambda message: heard.append((message.level, message.logger, message.text))
    )
    assert await client.connection.set_log_level("info") is None
    await client.call("say", word="hello")
    await until(client.connection.log_received, lambda: heard)
    end()
    assert heard == [("warning", "words", "hello")]


async def resources(client: Client) -> None:
    listed = await client.connection.resources.list()
    assert {"note://one", "note://bytes"} <= {resource.uri for resource in listed}
    (one,) = (await client.connection.resources.read("note://one")).contents
    assert (one.text, one.mime, one.uri) == ("# One", "text/markdown", "note://one")
    (some,) = (await client.connection.resources.read("note://bytes")).contents
    assert some.data == b"\0\1\2"
    assert (await client.connection.resources.read("note://none")).is_error


async def templates(client: Client) -> None:
    from desktop.base.uri_template import expand_template

    await client.connection.resources.list()
    (template,) = client.connection.resources.templates
    uri = expand_template(template.uri_template, {"number": "7"})
    (item,) = (await client.connection.resources.read(uri)).contents
    assert item.text == "item 7"


async def prompts(client: Client) -> None:
    greet = next(p for p in await client.connection.prompts.list() if p.name == "greet")
    assert [argument.name for argument in greet.arguments] == ["who"]
    result = await client.connection.prompts.get("greet", {"who": "Ada"})
    assert [message.content.text for message in result.messages] == ["Hello Ada"]


async def completion(client: Client) -> None:
    greet = next(p for p in await client.connection.prompts.list() if p.name == "greet")
    proposed = await client.connection.prompts.complete(greet, "who", "Al")
    assert (proposed.error, proposed.values) == (None, ("Alan",))
    await client.connection.resources.list()
    (template,) = client.connection.resources.templates
    proposed = await client.connection.prompts.complete(template, "number", "1")
    assert (proposed.error, proposed.values) == (None, ("1", "12"))


async def elicitation(client: Client) -> None:
    assert await client.call("meet") == "Ada, 36"
    asked = client.asked[-1].request
    assert isinstance(asked, ElicitationRequest)
    assert asked.message == "Who are you?"


async def url_elicitation(client: Client) -> None:
    assert await client.call("pay") == "paid"
    asked = client.asked[-1].request
    assert isinstance(asked, UrlElicitationRequest)
    assert (asked.url, asked.host) == ("https://pay.example/visit", "pay.example")


async def sampling(client: Client) -> None:
    assert await client.call("think") == "word"
    asked = client.asked[-1].request
    assert isinstance(asked, SamplingRequest)
    assert (asked.system, asked.max_tokens) == ("Be brief.", 50)


async def roots(client: Client) -> None:
    assert await client.call("folders") == client.root.as_uri()


async def changes(client: Client) -> None:
    """Last: the server is another one afterwards."""
    connection = client.connection
    await connection.resources.list()
    await connection.prompts.list()
    updated: list[str] = []
    connection.resource_updated.connect(updated.append)
    subscribes = connection.capabilities.subscriptions
    assert (await connection.resources.subscribe("note://one") is None) == subscribes
    await client.call("grow")
    await until(connection.tools_changed, lambda: "new" in {t.name for t in connection.tools})
    await until(
        connection.resources_changed,
        lambda: "note://new" in {resource.uri for resource in connection.resources.listed},
    )
    await until(
        connection.prompts_changed,
        lambda: "new" in {prompt.name for prompt in connection.prompts.listed},
    )
    if subscribes:
        await until(connection.resource_updated, lambda: updated)
        assert set(updated) == {"note://one"}


FEATURES: tuple[Callable[[Client], Awaitable[None]], ...] = (
    tools,
    progress,
    cancellation,
    logging,
    resources,
    templates,
    prompts,
    completion,
    elicitation,
    url_elicitation,
    sampling,
    roots,
    changes,
)


@pytest.fixture
def config(transport: str, era: str, tmp_path: Path) -> Iterator[ServerConfig]:
    more: dict[str, Any] = {"era": ERAS[era], "roots": (str(tmp_path),)}
    if transport == "stdio":
        values = {"command": sys.executable, "args": (str(FOLDER / f"{SCRIPT}.py"),)}
        yield ServerConfig.checked(name=SCRIPT, transport="stdio", **values, **more)
        return
    with WebServer(transport, script=SCRIPT) as web:
        yield web.config(**more)


@pytest.mark.parametrize(("transport", "era"), WAYS)
async def test_everything_works(
    config: ServerConfig, era: str, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    # The SDK's, of a last message that comes while its client is left; its log is off in the app.
    expected_logs.allow("mcp.client.sse: Error in sse_reader")
    requests = ServerRequests()
    failures: dict[str, str] = {}
    async with connected(config, surroundings(requests=requests)) as connection:
        assert connection.is_connected, connection.state
        assert connection.about.protocol == era
        client = Client(connection, requests, era, tmp_path)
        for feature in FEATURES:
            try:
                async with asyncio.timeout(LIMIT):
                    await feature(client)
            except Exception:  # noqa: BLE001 - told below, with the rest that works
                failures[feature.__name__] = traceback.format_exc(limit=-1)
    assert not failures, "\n".join(f"{name}: {text}" for name, text in failures.items())
