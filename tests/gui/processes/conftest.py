"""A Processes page over a real core with real server processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from desktop.gui.processes.page import ProcessesPage
from desktop.processes.tracker import RecentExits
from tests.gui.servers.conftest import entry, open_core
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from PySide6.QtCore import QModelIndex
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection

    OpenPage = Callable[..., Awaitable["Opened"]]

__all__ = ["Opened", "entry", "open_core"]


@dataclass
class Opened:
    """The page and the core beneath it."""

    core: Core
    page: ProcessesPage

    def server(self, name: str) -> ServerConnection:
        return self.core.service.connection(name)

    async def until_connected(self, name: str, *, anew: int | None = None) -> None:
        """Until the server is connected; with `anew` as another process than that PID."""
        server = self.server(name)
        await until(
            self.core.service.state_changed, lambda: server.is_connected and server.pid != anew
        )
        self.page.look()

    def row(self, *path: int) -> QModelIndex:
        """The row that is the n-th below the n-th…"""
        model = self.page.model
        index = model.index(path[0], 0)
        for row in path[1:]:
            index = model.index(row, 0, index)
        return index

    def choose(self, *path: int) -> None:
        self.page.tree.setCurrentIndex(self.row(*path))

    def texts(self, *path: int) -> list[str]:
        index = self.row(*path)
        return [str(index.siblingAtColumn(column).data()) for column in range(6)]


@pytest.fixture
async def open_page(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> AsyncIterator[OpenPage]:
    """Open the page over servers that are connected; both are closed after the test."""
    opened: list[Opened] = []

    async def make(problem: str = "", **servers: object) -> Opened:
        core = open_core(servers)
        page = ProcessesPage(theme, core.service, core.tracker, RecentExits(core.tracker), problem)
        qtbot.addWidget(page)
        page.resize(1100, 700)
        page.show()
        opened.append(Opened(core, page))
        for name in servers:
            if core.service.connections[name].is_enabled:
                await opened[-1].until_connected(name)
        return opened[-1]

    yield make
    for one in opened:
        await one.core.close()
