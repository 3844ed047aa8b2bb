"""What a server at a URL offers beside tools, made with the official SDK, in both generations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.live_servers import connected, until, written
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from desktop.servers.connection import ServerConnection
    from tests.conftest import ExpectedLogs

NOTE = "note://first"


@pytest.fixture(scope="module", params=["http", "sse"])
def web(request: pytest.FixtureRequest) -> Iterator[WebServer]:
    with WebServer(request.param) as server:
        yield server


@pytest.fixture(params=["auto", "legacy"], ids=["2026-07-28", "2025-11-25"])
async def server(
    web: WebServer, request: pytest.FixtureRequest
) -> AsyncGenerator[ServerConnection]:
    async with connected(web.config(era=request.param, log_level="info")) as connection:
        yield connection


async def test_resources_and_prompts_are_listed_and_read(server: ServerConnection) -> None:
    resources = await server.resources.list()
    assert (resources[0].uri, resources[0].title) == (NOTE, "First")
    (template,) = server.resources.templates
    assert template.uri_template == "note://item/{number}"
    for uri, text in ((NOTE, "one"), ("note://item/7", "item 7")):
        (content,) = (await server.resources.read(uri)).contents
        assert (content.uri, content.text) == (uri, text)
    prompt = (await server.prompts.list())[0]
    assert (prompt.name, prompt.label, prompt.arguments[0].required) == ("greet", "Greet", True)
    (message,) = (await server.prompts.get("greet", {"who": "Ada"})).messages
    assert message.content.text == "Hello Ada"
    assert (await server.prompts.complete(prompt, "who", "A")).values == ("A!",)
    missing = await server.resources.read("note://nowhere")
    assert missing.error is not None
    assert missing.error.message.startswith("web, note://nowhere: ")


async def test_a_log_message_is_heard_during_a_call(server: ServerConnection) -> None:
    await server.call_tool("say", {"level": "warning"})
    await written(server, "[warning] part: said")


async def test_changes_are_heard_by_who_listens(web: WebServer) -> None:
    updates: list[str] = []
    # Not probed: on a busy machine a server that just starts would be greeted in the older way.
    async with connected(web.config(era="2026-07-28")) as server:
        server.resource_updated.connect(updates.append)
        await server.resources.list()
        await server.prompts.list()
        assert await server.resources.subscribe(NOTE) is None
        await server.call_tool("update", {"uri": NOTE})
        await until(server.resource_updated, lambda: updates == [NOTE])
        await server.call_tool("change", {})
        await until(server.resources_changed, lambda: len(server.resources.listed) == 2)
        await until(server.prompts_changed, lambda: len(server.prompts.listed) == 2)


async def test_a_server_that_is_away_is_tried_for_a_read(expected_logs: ExpectedLogs) -> None:
    expected_logs.allow("Session termination failed")  # of a session that the server lost
    with WebServer("http") as web:
        async with connected(web.config()) as server:
            await server.resources.list()
            web.kill()
            with web.started_again():
                result = await server.resources.read(NOTE, timeout=20)
                assert result.error is None or "gone" in result.error.message
                result = await server.resources.read(NOTE, timeout=20)
                assert [content.text for content in result.contents] == ["one"]
