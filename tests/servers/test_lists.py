"""A list is read page by page, and its next page is asked for while one is read."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import mcp_types as types
import pytest

from desktop.servers.lists import read_pages
from desktop.servers.sdk import MCPError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    Ask = Callable[[str | None], Awaitable[types.ListToolsResult]]


def pages_of(ask: Ask) -> AsyncGenerator[types.ListToolsResult]:
    return read_pages("one", "tools/list", ask, lambda page: page.tools)


def page(cursor: str | None = None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[], next_cursor=cursor)


async def test_the_next_page_is_asked_for_before_one_is_handed_out() -> None:
    asked: list[str | None] = []

    async def ask(cursor: str | None) -> types.ListToolsResult:
        asked.append(cursor)
        return page({None: "b", "b": "c"}.get(cursor))

    async with aclosing(pages_of(ask)) as pages:
        handed = [list(asked) async for _ in pages]
    assert handed == [[None, "b"], [None, "b", "c"], [None, "b", "c"]]


async def test_who_leaves_a_list_ends_the_request_that_is_under_way() -> None:
    ended = asyncio.Event()

    async def ask(cursor: str | None) -> types.ListToolsResult:
        if cursor is None:
            return page("b")
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return page()

    async with aclosing(pages_of(ask)) as pages:
        async for _ in pages:
            break
    await ended.wait()


async def test_a_connection_that_ends_is_told_after_the_one_before_it_was_read() -> None:
    async def ask(cursor: str | None) -> types.ListToolsResult:
        if cursor is None:
            return page("b")
        raise MCPError(code=types.CONNECTION_CLOSED, message="Connection closed")

    async with aclosing(pages_of(ask)) as pages:
        assert (await anext(pages)).next_cursor == "b"
        with pytest.raises(MCPError, match="Connection closed"):
            await anext(pages)
