"""The window takes terminal commands over its servers, from when they are ready until it ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.features.attach import protocol
from desktop.features.attach.gui.feature import WindowCommands
from tests.features.gateway.gateway_client import until
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.main_window import MainWindow

pytestmark = pytest.mark.skipif(not protocol.IS_SUPPORTED, reason="needs Unix sockets")


async def wait_for(event: asyncio.Event) -> None:
    await event.wait()


def takes_commands(core: Core) -> bool:
    return (core.paths.data / protocol.SOCKET).exists()


async def test_commands_are_taken_once_the_servers_are_ready_and_until_the_end(
    core: Core, window: MainWindow
) -> None:
    settled = asyncio.Event()
    ready = spawn(wait_for(settled), "ready")
    commands = WindowCommands(window, core, ready)
    await turns()
    assert not takes_commands(core)
    settled.set()
    await until(lambda: takes_commands(core))
    places = ["--config", str(core.paths.config), "--data-dir", str(core.paths.data)]
    connection = await asyncio.to_thread(protocol.find_run, places)
    assert connection is not None
    connection.close()
    await commands.close()
    assert not takes_commands(core)


async def test_a_window_that_ends_before_its_servers_are_ready_takes_none(
    core: Core, window: MainWindow
) -> None:
    before = asyncio.all_tasks()  # the window of the tests has the feature, too
    ready = spawn(wait_for(asyncio.Event()), "ready")
    commands = WindowCommands(window, core, ready)
    await turns()
    ready.cancel()
    await turns(10)
    assert [each for each in asyncio.all_tasks() - before if "commands" in each.get_name()] == []
    await commands.close()
    assert not takes_commands(core)
