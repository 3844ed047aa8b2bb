"""Clients over HTTP while the window is open: its servers, its switches, its person."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.tasks import spawn
from desktop.features.attach import protocol
from desktop.servers.sdk import MCPError
from tests.cli.terminal import Terminal
from tests.features.attach.gui.test_served_by_window import CHANGED, question_in
from tests.features.gateway.gateway_client import Person, over_http, texts
from tests.gui.waiting import arm
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core import Core
    from desktop.features.attach.holder import CommandHolder
    from desktop.gui.main_window import MainWindow
    from tests.conftest import ExpectedLogs

pytestmark = pytest.mark.skipif(not protocol.IS_SUPPORTED, reason="needs Unix sockets")


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    made = Terminal(tmp_path)
    made.environment.pop("MCP_SERVERS", None)
    return made


async def test_clients_use_the_servers_of_the_window_and_follow_its_switches(
    core: Core, holder: CommandHolder, terminal: Terminal
) -> None:
    await core.service.connection("counts").call_tool("count", {})
    person = Person()
    async with over_http(terminal) as served, served.client(person=person) as client:
        assert texts(await client.call_tool("mcp__counts__count", {})) == "2"
        assert "mcp__counts__count" in [each.name for each in (await client.list_tools()).tools]
        core.store.set_enabled("counts", False)
        await person.until_told(CHANGED)
        assert "mcp__counts__count" not in [each.name for each in (await client.list_tools()).tools]


async def test_the_window_asks_with_the_name_of_the_client_that_calls(
    core: Core, holder: CommandHolder, window: MainWindow, terminal: Terminal
) -> None:
    echo = next(each for each in core.registry.all() if each.definition.key == "plain:echo")
    await core.approvals.decide(echo.definition, "ask")
    async with (
        over_http(terminal) as served,
        served.client(name="one") as one,
        served.client(name="two") as two,
    ):
        for name, client, answer in (("one", one, "once"), ("two", two, "deny")):
            call = spawn(client.call_tool("mcp__plain__echo", {"message": "x"}), "call")
            dialog = await question_in(window)
            assert f"{name} wants to call plain:echo" in dialog.heading.text()
            dialog.panel.arm()
            button = getattr(dialog.panel, answer)
            arm(button)
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            async with asyncio.timeout(LIMIT):
                assert (await call).is_error is (answer == "deny")


async def test_a_window_that_closes_ends_them_and_says_so(
    core: Core, holder: CommandHolder, terminal: Terminal, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("Session termination failed|Error in post_writer|GET stream")
    async with over_http(terminal) as served, served.client() as client:
        begun = asyncio.Event()

        async def note(progress: float, total: float | None, message: str | None) -> None:
            begun.set()

        async def call() -> None:
            arguments = {"seconds": 600, "steps": 6000}
            with suppress(MCPError):  # its gateway ends
                await client.call_tool("mcp__plain__slow", arguments, progress_callback=note)

        calling = spawn(call(), "slow")
        async with asyncio.timeout(LIMIT):
            await begun.wait()
        async with asyncio.timeout(3.5):  # what the end of the app may take
            await holder.close()
        code, said = await served.end()
        assert code == 3
        assert f"The app that served {served.url} was closed." in said
        calling.cancel()
