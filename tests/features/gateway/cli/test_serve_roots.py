"""A server whose entry has no roots is told those of the client that it works for, no others."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.tasks import spawn
from tests.cli.terminal import entry, interrupt, wait_for_line
from tests.features.gateway.cli.test_serve import ERAS
from tests.features.gateway.gateway_client import Person, over_http, over_stdio, texts, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal

ONE, TWO = ("file:///of/one",), ("file:///of/two", "file:///of/two/more")


@pytest.fixture(autouse=True)
def _configured(terminal: Terminal) -> None:
    terminal.configure(asks=entry("asks_roots"), plain=entry("plain"))


@pytest.fixture
def held(terminal: Terminal) -> Iterator[subprocess.Popen[str]]:
    process = terminal.start("daemon")
    try:
        wait_for_line(process, "ready for commands")
        yield process
    finally:
        interrupt(process)


async def roots_of(client: Any) -> list[str]:
    async with asyncio.timeout(LIMIT):
        answer = json.loads(texts(await client.call_tool("mcp__asks__roots", {})))
    return [root["uri"] for root in answer["roots"]]


@ERAS
@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_a_server_is_told_the_roots_of_the_client_that_calls_it(
    terminal: Terminal, mode: str, way: str
) -> None:
    one = Person(roots=ONE)
    async with AsyncExitStack() as stack:
        if way == "stdio":
            client = await stack.enter_async_context(over_stdio(terminal, person=one, mode=mode))
        else:
            served = await stack.enter_async_context(over_http(terminal))
            client = await stack.enter_async_context(served.client(person=one, mode=mode))
        assert await roots_of(client) == list(ONE)
        one.roots = TWO  # it is asked each time
        assert await roots_of(client) == list(TWO)
        one.roots = ()
        assert await roots_of(client) == []


async def test_the_roots_that_a_person_gave_a_server_hold_for_every_client(
    terminal: Terminal,
) -> None:
    folder = terminal.folder / "own"
    folder.mkdir()
    terminal.configure(asks=entry("asks_roots", roots=[str(folder)]))
    async with over_stdio(terminal, person=Person(roots=ONE)) as client:
        assert await roots_of(client) == [folder.as_uri()]


@ERAS
async def test_a_server_that_asks_in_its_result_is_told_them_too(
    terminal: Terminal, mode: str
) -> None:
    terminal.configure(asks=entry("asks_roots", "--era", "modern", era="2026-07-28"))
    async with over_stdio(terminal, person=Person(roots=ONE), mode=mode) as client:
        answer = json.loads(texts(await client.call_tool("mcp__asks__roots", {})))
        assert [root["uri"] for root in answer["roots"]] == list(ONE)


async def test_clients_of_one_server_are_told_apart_and_the_app_has_none(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    one, two, none = Person(roots=ONE), Person(roots=TWO), Person()
    async with (
        over_stdio(terminal, person=one) as first,
        over_stdio(terminal, person=two) as second,
        over_stdio(terminal, person=none) as third,
    ):
        seen = [await roots_of(each) for each in (first, second, third, first)]
        assert seen == [list(ONE), list(TWO), [], list(ONE)]
        called = json.loads(terminal.run("call", "asks:roots").out)
        assert [root["uri"] for root in called["roots"]] == []
        # None of them was told to ask again for the folders of somebody else.
        assert texts(await first.call_tool("mcp__asks__changes", {})) == "0"


@pytest.mark.parametrize("who", ["another client", "the app"])
async def test_while_somebody_else_calls_it_a_server_is_told_none(
    terminal: Terminal, held: subprocess.Popen[str], who: str
) -> None:
    one, two = Person(roots=ONE), Person(roots=TWO)
    async with (
        over_stdio(terminal, person=one) as first,
        over_stdio(terminal, person=two) as second,
    ):
        assert await roots_of(first) == list(ONE)
        app = terminal.start("call", "asks:hold") if who == "the app" else None
        call = spawn(hold(second), "hold") if app is None else None
        try:
            await until(lambda: "holding" in terminal.server_log("asks"))
            assert await roots_of(first) == []
        finally:
            if call is not None:
                call.cancel()
                await asyncio.wait({call})
            if app is not None:
                interrupt(app)
        assert await roots_of(first) == list(ONE)


async def test_two_of_one_name_that_cannot_be_told_apart_are_not_taken_for_one(
    terminal: Terminal,
) -> None:
    one, two = Person(roots=ONE), Person(roots=TWO)
    async with (
        over_http(terminal) as served,
        served.client(person=one, mode="2026-07-28") as first,
        served.client(person=two, mode="2026-07-28") as second,
    ):
        assert await roots_of(first) == list(ONE)
        call = spawn(hold(second), "hold")
        await until(lambda: "holding" in terminal.server_log("asks"))
        assert await roots_of(first) == []
        call.cancel()
        await asyncio.wait({call})


async def test_a_client_that_refuses_leaves_a_server_without_any(terminal: Terminal) -> None:
    async with over_stdio(terminal, person=Person(roots=("https://example.test/",))) as client:
        assert await roots_of(client) == []


async def hold(client: Any) -> None:
    await client.call_tool("mcp__asks__hold", {})
