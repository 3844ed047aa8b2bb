"""Prompts are listed when somebody asks, filled in by their server, and sent to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.values.prompt_types import PromptArgument
from desktop.values.resource_types import ResourceTemplate
from desktop.values.tool_types import ErrorCode
from tests.live_servers import connected, stdio, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.connection import ServerConnection

ERAS = [
    pytest.param(stdio("offers"), id="2025-11-25"),
    pytest.param(stdio("offers", "--era", "modern", era="auto"), id="2026-07-28"),
]


@pytest.fixture(params=ERAS)
async def server(request: pytest.FixtureRequest) -> AsyncGenerator[ServerConnection]:
    async with connected(request.param) as connection:
        yield connection


async def test_a_prompt_is_listed_with_everything_that_was_declared(
    server: ServerConnection,
) -> None:
    (prompt,) = await server.prompts.list()
    assert server.prompts.listed == (prompt,)
    assert (prompt.key, prompt.label, prompt.description) == (
        "offers:greet",
        "Greet",
        "Says hello.",
    )
    assert prompt.arguments == (
        PromptArgument("who", "Who", "Whom to greet.", required=True),
        PromptArgument("tone"),
    )
    assert (prompt.icons, prompt.meta) == (({"src": "data:,"},), {"x/y": 2})


async def test_the_messages_of_a_prompt_come_in_their_order(server: ServerConnection) -> None:
    result = await server.prompts.get("greet", {"who": "Ada"})
    assert result.error is None
    assert result.description == "A greeting."
    assert result.meta == {"x/y": 3}
    first, second = result.messages
    assert (first.role, first.content.text) == ("user", "Hello Ada")
    assert (second.role, second.content.kind, second.content.uri) == (
        "assistant",
        "resource",
        "test://rich",
    )


async def test_a_prompt_that_the_server_refuses_says_who_and_what(server: ServerConnection) -> None:
    result = await server.prompts.get("greet")
    assert result.error is not None
    assert result.error.code == ErrorCode.PROTOCOL
    assert result.error.message.startswith("offers:greet: who is missing")


async def test_a_changed_list_is_read_again(server: ServerConnection) -> None:
    await server.prompts.list()
    await server.call_tool("add", {})
    await until(server.prompts_changed, lambda: len(server.prompts.listed) == 2)


async def test_values_are_proposed_for_prompts_and_templates(server: ServerConnection) -> None:
    (prompt,) = await server.prompts.list()
    found = await server.prompts.complete(prompt, "tone", "so", {"who": "Ada"})
    assert found.values == ("soa", "sob", "who=Ada", "greet")
    assert (found.total, found.has_more, found.error) == (9, True, None)
    template = ResourceTemplate("offers", "test://item/{id}", "item")
    found = await server.prompts.complete(template, "id", "1")
    assert found.values == ("1a", "1b", "test://item/{id}")


async def test_a_server_that_proposes_nothing_is_not_asked() -> None:
    async with connected(stdio("plain")) as server:
        assert await server.prompts.list() == ()
        template = ResourceTemplate("plain", "test://{id}", "item")
        found = await server.prompts.complete(template, "id", "1")
        assert (found.values, found.error) == ((), None)


async def test_a_server_that_is_off_says_so() -> None:
    async with connected(stdio("offers")) as server:
        await server.prompts.list()
        await server.disconnect()
        assert server.prompts.listed == ()
        result = await server.prompts.get("greet", {"who": "Ada"})
        assert result.error is not None
        assert result.error.code == ErrorCode.UNREACHABLE
