"""A core with two servers, and a window that serves clients of the gateway with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.config.models import ServerConfig
from desktop.core import build_core
from desktop.features.attach.holder import CommandHolder
from desktop.features.gateway.gui.call_questions import WindowCallPrompter
from tests.gui.conftest import *  # noqa: F403 - its `__all__` is what a window needs
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    for name in ("counts", "plain"):
        program, args = command(name)
        made.store.add_server(ServerConfig(name=name, command=program, args=tuple(args)))
    await made.settle()
    yield made
    await made.close()


@pytest.fixture
async def holder(core: Core, window: MainWindow) -> AsyncIterator[CommandHolder]:
    made = CommandHolder(
        core, prompter_of=lambda client: WindowCallPrompter(window, window.theme, client)
    )
    assert await made.try_open()
    yield made
    await made.close()
