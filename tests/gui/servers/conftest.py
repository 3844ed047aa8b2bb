"""A settings panel over a real core: real config file, real service, real server processes."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop.base.paths import Paths
from desktop.config.imports.clients import ClientLocations
from desktop.core import build_core
from desktop.gui.servers.page import ServersPage
from desktop.gui.window_state import WindowState
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.servers.server_list import ServerCard
    from desktop.gui.theme import Theme

    Entries = dict[str, Any]
    OpenPanel = Callable[..., "Panel"]


@dataclass
class Panel:
    """The page and the core beneath it."""

    core: Core
    page: ServersPage

    def card(self, name: str) -> ServerCard:
        return self.page.list.cards[name]

    async def activate(self) -> None:
        """Make it the active window: without one nothing has the focus."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        is_active = asyncio.Event()

        def note(*_: object) -> None:
            is_active.set()

        connection = app.focusChanged.connect(note)
        self.page.activateWindow()
        self.page.setFocus()
        async with asyncio.timeout(LIMIT):
            while app.focusWidget() is None:
                is_active.clear()
                await is_active.wait()
        app.focusChanged.disconnect(connection)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for news of the core until `is_so`."""
        news = asyncio.Event()
        service, store = self.core.service, self.core.store
        ends = [
            service.state_changed.connect(lambda _: news.set()),
            service.tools_changed.connect(lambda _: news.set()),
            service.servers_changed.connect(news.set),
            store.changed.connect(news.set),
        ]
        try:
            async with asyncio.timeout(LIMIT):
                while not is_so():
                    news.clear()
                    await news.wait()
        finally:
            for end in ends:
                end()

    async def until_words(self, name: str, words: str) -> None:
        await self.until(lambda: self.card(name).badge.text() == words)

    def saved(self) -> Any:
        return json.loads(self.core.store.path.read_text(encoding="utf-8"))


def entry(server: str, *args: object, **more: object) -> Entries:
    """The config entry of one of the test servers."""
    program, arguments = command(server, *args)
    return {"command": program, "args": arguments, **more}


def note(asked: list[str], what: str, name: str) -> None:
    """A slot that remembers what was asked for which server."""
    asked.append(f"{what} {name}")


def note_switch(asked: list[str], name: str, on: bool) -> None:
    """A slot that remembers which switch was asked to move where."""
    asked.append(f"{name} {'on' if on else 'off'}")


@pytest.fixture
def open_core(tmp_path: Path) -> Callable[..., Core]:
    """Make the core of a config: a dictionary of servers, or the text of the file."""

    def make(config: Entries | str | None = None, environ: dict[str, str] | None = None) -> Core:
        path = tmp_path / "mcp.json"
        if config is not None:
            text = config if isinstance(config, str) else json.dumps({"mcpServers": config})
            path.write_text(text, encoding="utf-8")
        core = build_core(
            Paths(path, tmp_path / "data"), {"PATH": "", "SHELL": "/bin/sh", **(environ or {})}
        )
        core.follow_store()
        return core

    return make


@pytest.fixture
async def open_panel(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot, tmp_path: Path
) -> AsyncIterator[OpenPanel]:
    """Open the page over a core; both are closed after the test."""
    panels: list[Panel] = []
    places = ClientLocations(tmp_path / "home", {}, "linux")

    def make(config: Entries | str | None = None, environ: dict[str, str] | None = None) -> Panel:
        core = open_core(config, environ)
        settings = WindowState(core.paths.window_state).settings
        page = ServersPage(theme, core.store, core.service, settings, places)
        qtbot.addWidget(page)
        page.resize(1100, 700)
        page.show()
        panels.append(Panel(core, page))
        return panels[-1]

    yield make
    for panel in panels:
        await panel.core.close()
