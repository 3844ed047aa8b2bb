"""Resources are read when somebody asks, kept up to date from then on, and fetched by nobody.

In both generations of the protocol; a subscription outlives the session that it was made in.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ServerError
from desktop.base.tasks import spawn
from desktop.servers import lists, resources
from desktop.servers.service import McpService
from desktop.servers.transport.stdio_transport import StdioTransport
from desktop.values.resource_types import ResourceAnnotations
from desktop.values.tool_types import ErrorCode, ToolError
from tests.live_servers import (
    QUICK,
    connected,
    ending,
    reached,
    stdio,
    surroundings,
    until,
    written,
)
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import Progress

ERAS = [
    pytest.param(stdio("offers"), id="2025-11-25"),
    pytest.param(stdio("offers", "--era", "modern", era="auto"), id="2026-07-28"),
]
RICH = "test://rich"


@pytest.fixture(params=ERAS)
async def server(request: pytest.FixtureRequest) -> AsyncGenerator[ServerConnection]:
    async with connected(request.param) as connection:
        yield connection


@asynccontextmanager
async def offering() -> AsyncGenerator[ServerConnection]:
    async with connected(stdio("offers"), surroundings(pauses=QUICK)) as connection:
        yield connection


async def told(server: ServerConnection, tool: str) -> list[str]:
    return json.loads((await server.call_tool(tool, {})).output)


async def test_nothing_is_read_before_somebody_asks(server: ServerConnection) -> None:
    assert (server.resources.listed, server.prompts.listed) == ((), ())
    seen = set(await told(server, "seen"))
    assert seen <= {"initialize", "server/discover", "tools/list", "tools/call"}
    assert server.capabilities.resources
    assert server.capabilities.subscriptions
    assert server.capabilities.prompts
    assert server.capabilities.completions
    assert server.capabilities.logging


async def test_all_pages_are_listed_with_everything_that_was_declared(
    server: ServerConnection,
) -> None:
    rich, blob = await server.resources.list()
    assert server.resources.listed == (rich, blob)
    assert (rich.server, rich.uri, rich.label, rich.mime, rich.size) == (
        "offers",
        RICH,
        "Rich",
        "text/plain",
        6,
    )
    assert rich.description == "Has everything."
    assert rich.annotations == ResourceAnnotations(("user",), 0.5, "2026-01-01")
    assert rich.icons == ({"src": "data:,", "mimeType": "image/png"},)
    assert rich.meta == {"x/y": 1}
    assert blob.label == "blob"
    (template,) = server.resources.templates
    assert (template.uri_template, template.label) == ("test://item/{id}{?lang}", "Item")


async def test_text_and_bytes_are_read(server: ServerConnection) -> None:
    text = await server.resources.read(RICH)
    data = await server.resources.read("test://blob")
    assert text.error is data.error is None
    assert [(one.uri, one.text, one.mime) for one in text.contents] == [
        (RICH, f"text of {RICH}", "text/plain")
    ]
    assert [(one.data, one.mime) for one in data.contents] == [(b"\x89PNG\r\n", "image/png")]


async def test_what_cannot_be_read_says_who_and_what(server: ServerConnection) -> None:
    result = await server.resources.read("test://nowhere")
    assert result.error is not None
    assert result.error.code == ErrorCode.PROTOCOL
    assert result.error.message.startswith("offers, test://nowhere: Resource not found")


async def test_a_changed_list_is_read_again_once_somebody_asked(server: ServerConnection) -> None:
    seen: list[str] = []
    await server.resources.read(RICH)
    await server.call_tool("add", {})
    for _ in range(3):  # what a change sets off is sent by the second at the latest
        seen = await told(server, "seen")
    assert "resources/list" not in seen
    await server.resources.list()
    await server.call_tool("add", {"times": 50})
    await until(server.resources_changed, lambda: len(server.resources.listed) == 3)
    assert (await told(server, "seen")).count("resources/templates/list") <= 10


async def test_a_subscribed_resource_tells_of_its_changes(server: ServerConnection) -> None:
    updates: list[str] = []
    server.resource_updated.connect(updates.append)
    assert await server.resources.subscribe(RICH) is None
    assert await told(server, "subscriptions") == [RICH]
    await server.call_tool("update", {"uri": RICH})
    await until(server.resource_updated, lambda: updates == [RICH])
    assert await server.resources.unsubscribe(RICH) is None
    async with asyncio.timeout(LIMIT):  # the listening of before ends beside the new one
        while await told(server, "subscriptions"):
            pass


async def test_ten_thousand_updates_are_a_few(server: ServerConnection) -> None:
    updates: list[str] = []
    server.resource_updated.connect(updates.append)
    await server.resources.subscribe(RICH)
    await server.call_tool("update", {"uri": RICH, "times": 10_000})
    await until(server.resource_updated, lambda: updates)
    assert len(updates) < 200
    assert set(updates) == {RICH}
    assert (await server.resources.read(RICH)).error is None


async def test_updates_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.servers.changes.UPDATE_PAUSE", 3600)
    updates: list[str] = []
    async with offering() as server:
        server.resource_updated.connect(updates.append)
        await server.resources.subscribe(RICH)
        for _ in range(5):
            await server.call_tool("update", {"uri": RICH})
        assert updates == []


async def test_more_resources_than_are_kept_are_told_as_those_that_are_subscribed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.servers.changes.MAX_UPDATED", 3)
    updates: list[str] = []
    async with offering() as server:
        server.resource_updated.connect(updates.append)
        await server.resources.subscribe(RICH)
        parts = [server.call_tool("update", {"uri": f"{RICH}/{n}"}) for n in range(50)]
        await asyncio.gather(*parts)
        await until(server.resource_updated, lambda: RICH in updates)
        assert len(updates) < 40


async def test_a_lost_subscription_is_opened_again_and_what_was_missed_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.servers.changes.FIRST_PAUSE", 0.01)
    updates: list[str] = []
    async with connected(stdio("offers", "--era", "modern", era="auto")) as server:
        server.resource_updated.connect(updates.append)
        await server.resources.list()
        await server.resources.subscribe(RICH)
        await server.call_tool("drop", {})
        await until(server.resource_updated, lambda: updates == [RICH])
        await server.call_tool("add", {})
        await until(server.resources_changed, lambda: len(server.resources.listed) == 3)


async def test_subscriptions_and_lists_outlive_the_session(server: ServerConnection) -> None:
    await server.resources.list()
    await server.resources.subscribe(RICH)
    await server.call_tool("crash", {})
    await until(server.resources_changed, lambda: not server.resources.listed)
    await until(server.resources_changed, lambda: len(server.resources.listed) == 2)
    assert await told(server, "subscriptions") == [RICH]


async def test_several_subscriptions_at_once_are_all_there(server: ServerConnection) -> None:
    uris = [f"{RICH}/{number}" for number in range(5)]
    errors = await asyncio.gather(*(server.resources.subscribe(uri) for uri in uris))
    assert errors == [None] * 5
    assert set(uris) <= set(await told(server, "subscriptions"))


async def test_a_server_that_tells_of_lists_alone_is_said_to_and_still_does() -> None:
    config = stdio("offers", "--era", "modern", "--honour", "lists", era="auto")
    async with connected(config) as server:
        await server.resources.list()
        error = await server.resources.subscribe(RICH)
        assert error is not None
        assert f"offers does not report changes to {RICH}" in error.message
        assert server.resources.subscribed == ()
        await server.call_tool("add", {})
        await until(server.resources_changed, lambda: len(server.resources.listed) == 3)


async def test_no_more_than_a_bound_of_subscriptions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "MAX_SUBSCRIPTIONS", 1)
    async with offering() as server:
        assert await server.resources.subscribe(RICH) is None
        error = await server.resources.subscribe("test://blob")
        assert error is not None
        assert "the subscription limit of 1 is reached" in error.message


async def test_a_server_without_resources_is_not_asked() -> None:
    async with connected(stdio("plain")) as server:
        assert await server.resources.list() == ()
        error = await server.resources.subscribe(RICH)
        assert error is not None
        assert "does not report changes" in error.message
        assert server.resources.subscribed == ()


async def test_a_read_has_the_limit_of_a_call_and_is_cancelled_at_the_server() -> None:
    progress: list[Progress] = []
    async with offering() as server:
        result = await server.resources.read(
            "test://slow", timeout=0.2, on_progress=progress.append
        )
        assert result.error is not None
        assert result.error.code == ErrorCode.TIMEOUT
        assert [step.progress for step in progress] == [1]
        await written(server, "cancelled")


async def test_a_read_beyond_the_limit_of_a_line_says_so_and_the_server_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limited = partial(StdioTransport, line_limit=2_000_000)
    monkeypatch.setattr("desktop.servers.session.StdioTransport", limited)
    async with offering() as server:
        result = await server.resources.read("test://big/1900000")
        assert len(result.contents[0].text) == 1_900_000
        result = await server.resources.read("test://big/2100000")
        assert result.error is not None
        assert "sent a line longer than 2 MB" in result.error.message
        await reached(server, "connected")
        assert (await server.resources.read(RICH)).error is None


async def test_a_read_that_its_caller_gives_up_is_cancelled_at_the_server() -> None:
    began = asyncio.Event()
    async with offering() as server:
        reading = spawn(
            server.resources.read("test://slow", on_progress=lambda _: began.set()), "read"
        )
        await began.wait()
        reading.cancel()
        await asyncio.wait({reading})
        await written(server, "cancelled")
        assert (await server.resources.read(RICH)).error is None


async def test_a_read_of_a_server_that_is_off_says_so() -> None:
    async with offering() as server:
        await server.disconnect()
        result = await server.resources.read(RICH)
        assert result.error is not None
        assert result.error.code == ErrorCode.UNREACHABLE


async def test_a_list_without_an_end_keeps_what_was_read_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with offering() as server:
        await server.resources.list()
        monkeypatch.setattr(lists, "MAX_PAGES", 1)
        await server.resources.list()
        assert 0 < len(server.resources.listed) < 2
        assert any("its pages do not end" in text for text in server.oddities)


async def test_the_service_names_the_server_of_each_signal() -> None:
    heard: list[tuple[str, ...]] = []
    async with ending(McpService(surroundings())) as service:
        service.resources_changed.connect(lambda name: heard.append(("resources", name)))
        service.prompts_changed.connect(lambda name: heard.append(("prompts", name)))
        service.resource_updated.connect(lambda name, uri: heard.append((name, uri)))
        server = service.add_server(stdio("offers"))
        server.start()
        await reached(server, "connected")
        await server.resources.list()
        await server.prompts.list()
        await server.resources.subscribe(RICH)
        await server.call_tool("update", {"uri": RICH})
        await until(service.resource_updated, lambda: ("offers", RICH) in heard)
        assert heard[:2] == [("resources", "offers"), ("prompts", "offers")]


@pytest.mark.parametrize("kind", ["resources", "prompts"])
async def test_who_asks_at_the_same_time_gets_the_same_list(kind: str) -> None:
    async with offering() as server:
        offer = server.resources if kind == "resources" else server.prompts

        async def ask() -> int:
            await offer.list_once()
            return len(offer.listed)

        found = await asyncio.gather(*(ask() for _ in range(4)))
        assert found == [len(offer.listed)] * 4
        assert found[0] > 0
        before = (await told(server, "seen")).count(f"{kind}/list")
        await offer.list()
        assert (await told(server, "seen")).count(f"{kind}/list") == 2 * before


@pytest.mark.parametrize("kind", ["resources", "prompts"])
async def test_a_first_list_that_failed_is_read_by_the_next_who_asks(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with offering() as server:
        offer = server.resources if kind == "resources" else server.prompts

        async def refuse(*_: object, **__: object) -> ToolError:
            return ToolError("MCPError", "busy", ErrorCode.PROTOCOL)

        with monkeypatch.context() as patched:
            patched.setattr(server, "request", refuse)
            with pytest.raises(ServerError):
                await offer.list_once()
        assert (offer.was_asked_for, offer.was_listed) == (True, False)
        await offer.list_once()
        assert offer.listed
