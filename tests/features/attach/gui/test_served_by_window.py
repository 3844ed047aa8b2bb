"""A real client of the gateway while the window is open: it goes through the window's servers."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest
from mcp import StdioServerParameters
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.tasks import spawn
from desktop.features.attach import protocol
from desktop.features.gateway.gui.call_questions import CallQuestion
from desktop.servers.sdk import Client
from tests.cli.terminal import ROOT
from tests.features.gateway.gateway_client import Person, options, texts, until
from tests.gui.waiting import arm
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core import Core
    from desktop.features.attach.holder import CommandHolder
    from desktop.gui.main_window import MainWindow

pytestmark = pytest.mark.skipif(not protocol.IS_SUPPORTED, reason="needs Unix sockets")
CHANGED = "notifications/tools/list_changed"


@asynccontextmanager
async def served(
    core: Core, *args: str, person: Person | None = None, mode: str = "legacy"
) -> AsyncGenerator[Client]:
    environment = {name: value for name, value in os.environ.items() if name != "MCP_SERVERS"}
    started = StdioServerParameters(
        command=sys.executable,
        args=[
            "-m", "desktop", "serve", *args,
            "--config", str(core.paths.config), "--data-dir", str(core.paths.data),
        ],
        env=environment,
        cwd=ROOT,
    )  # fmt: skip
    async with Client(started, **options(person, "test-client", mode)) as client:
        yield client


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_client_uses_the_servers_of_the_window_and_follows_its_switches(
    core: Core, holder: CommandHolder, mode: str
) -> None:
    person = Person()
    await core.service.connection("counts").call_tool("count", {})
    async with served(core, person=person, mode=mode) as client:
        names = [each.name for each in (await client.list_tools()).tools]
        assert "mcp__counts__count" in names
        assert texts(await client.call_tool("mcp__counts__count", {})) == "2"
        core.store.set_enabled("counts", False)
        if mode == "legacy":
            await person.until_told(CHANGED)
        names = [each.name for each in (await client.list_tools()).tools]
        assert "mcp__counts__count" not in names


async def test_a_large_answer_and_many_calls_arrive(core: Core, holder: CommandHolder) -> None:
    async with served(core) as client:
        calls = (client.call_tool("mcp__plain__echo", {"message": str(n)}) for n in range(50))
        assert [texts(each) for each in await asyncio.gather(*calls)] == [str(n) for n in range(50)]
        large = await client.call_tool("mcp__plain__big", {"bytes": 3_000_000})
        assert len(texts(large)) == 3_000_000


async def question_in(window: MainWindow) -> CallQuestion:
    found: list[CallQuestion] = []

    def is_there() -> bool:
        found[:] = window.findChildren(CallQuestion)
        return bool(found)

    await until(is_there)
    return found[0]


@pytest.mark.parametrize("answer", ["once", "deny", "close"])
async def test_the_window_asks_about_a_call_that_is_to_be_asked_about(
    core: Core, holder: CommandHolder, window: MainWindow, answer: str
) -> None:
    definition = next(each for each in core.registry.all() if each.definition.key == "plain:echo")
    await core.approvals.decide(definition.definition, "ask")
    async with served(core, "--client", "cursor") as client:
        call = spawn(client.call_tool("mcp__plain__echo", {"message": "x"}), "call")
        dialog = await question_in(window)
        assert "cursor wants to call plain:echo" in dialog.heading.text()
        assert not dialog.panel.once.hasFocus()
        dialog.panel.arm()
        if answer == "close":
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            button = getattr(dialog.panel, answer)
            arm(button)
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        async with asyncio.timeout(LIMIT):
            result: Any = await call
        assert result.is_error is (answer != "once")


async def test_a_question_goes_with_the_client_that_was_killed(
    core: Core, holder: CommandHolder, window: MainWindow
) -> None:
    definition = next(each for each in core.registry.all() if each.definition.key == "plain:echo")
    await core.approvals.decide(definition.definition, "ask")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "desktop", "serve", "--client", "cursor",
        "--config", str(core.paths.config), "--data-dir", str(core.paths.data),
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    hello = types.InitializeRequestParams(
        protocol_version="2025-06-18",
        capabilities=types.ClientCapabilities(),
        client_info=types.Implementation(name="raw", version="1"),
    ).model_dump_json(by_alias=True, exclude_none=True)
    call = '{"name":"mcp__plain__echo","arguments":{"message":"x"}}'
    for line in (
        f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{hello}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        f'{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{call}}}',
    ):
        process.stdin.write(f"{line}\n".encode())
    await process.stdin.drain()
    await question_in(window)
    process.kill()
    await process.wait()
    await until(lambda: not window.findChildren(CallQuestion))
