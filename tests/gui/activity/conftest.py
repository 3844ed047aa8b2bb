"""The Activity page over a real core with real servers, and traffic made by hand."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.diagnostics.logs import LogBuffer
from desktop.gui.activity.history_view import HistoryView
from desktop.gui.activity.messages_view import MessagesView
from desktop.gui.activity.page import ActivityPage
from desktop.redaction.redactor import Redaction
from desktop.servers.message_log import MessageLog, MessageRecorder
from desktop.tools.call_log import CallLog
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from tests.gui.servers.conftest import entry, open_core
from tests.history.calls import keep, store_at
from tests.live_servers import until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from PySide6.QtCore import QSettings, SignalInstance
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from desktop.history.records import FinishedCall
    from desktop.history.store import HistoryStore

    OpenPage = Callable[..., Awaitable["Opened"]]

__all__ = ["entry", "open_core"]
TOKEN = "s3cr3t-t0ken"


def line(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


@pytest.fixture
def traffic() -> MessageLog:
    return MessageLog()


@pytest.fixture
def tap(traffic: MessageLog) -> MessageRecorder:
    return traffic.tap("server", [TOKEN])


@pytest.fixture
def view(theme: Theme, traffic: MessageLog, settings: QSettings, qtbot: QtBot) -> MessagesView:
    """The messages of `traffic`, shown."""
    made = MessagesView(theme, traffic, settings)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


async def caught_up(view: MessagesView) -> None:
    """Until all that came is shown."""
    await once(view.feed.advanced, lambda: view.feed.waiting == 0)


@dataclass
class Opened:
    """The page and the core beneath it."""

    core: Core
    page: ActivityPage
    logs: LogBuffer
    calls: CallLog


@pytest.fixture
async def open_page(
    open_core: Callable[..., Core], theme: Theme, settings: QSettings, qtbot: QtBot
) -> AsyncIterator[OpenPage]:
    """Open the page over servers that are connected; all is closed after the test."""
    opened: list[Opened] = []

    async def make(**servers: object) -> Opened:
        core = open_core(servers)
        logs = LogBuffer()
        logs.start()
        calls = CallLog(core.executor)
        page = ActivityPage(theme, core.traffic, core.history, calls, logs, settings)
        qtbot.addWidget(page)
        page.resize(1100, 700)
        page.show()
        opened.append(Opened(core, page, logs, calls))
        for name in servers:
            server = core.service.connection(name)
            await until(core.service.state_changed, lambda one=server: one.is_connected)
        return opened[-1]

    yield make
    for one in opened:
        one.logs.stop()
        await one.core.close()


async def once(signal: SignalInstance, holds: Callable[[], object]) -> None:
    """Wait until `holds`, looked at now and at each emission of `signal`."""
    done = asyncio.Event()

    def look(*_: object) -> None:
        if holds():
            done.set()

    connection = signal.connect(look)
    look()
    try:
        async with asyncio.timeout(LIMIT):
            await done.wait()
    finally:
        signal.disconnect(connection)


async def activate(widget: QWidget) -> None:
    """Make its window the active one and put the focus there: keys reach nothing else."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    widget.window().activateWindow()
    widget.setFocus()
    await once(app.focusChanged, lambda: app.focusWidget() is not None)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[HistoryStore]:
    async with store_at(tmp_path / "history.sqlite3") as made:
        yield made


def history_view(theme: Theme, store: HistoryStore, settings: QSettings) -> HistoryView:
    """The view over a store, of a run in which nothing was called."""
    calls = CallLog(ToolExecutor(ToolRegistry()))
    return HistoryView(theme, store, calls, lambda _: Redaction(), settings)


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    """A core with the calculator connected."""
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.store.set_enabled("calculator", enabled=True)
    made.follow_store()
    await made.settle()
    yield made
    await made.close()


@dataclass
class OpenHistory:
    """The view and the store beneath it."""

    view: HistoryView
    store: HistoryStore

    @property
    def keys(self) -> list[str]:
        return [call.key for call in self.view.list.model.calls]

    async def add(self, *calls: FinishedCall) -> None:
        """Add calls and wait until they are shown."""
        total = self.view.list.model.total + len(calls)
        await keep(self.store, *calls)
        await self.until(lambda: self.view.list.model.total >= total)

    async def until(self, holds: Callable[[], object]) -> None:
        await once(self.view.list.loaded, holds)

    async def choose(self, *rows: int) -> None:
        """Select rows and wait until what they stand for is shown below."""
        view = self.view
        view.list.table.clearSelection()
        for row in rows:
            index = view.list.model.index(row, 0)
            flags = view.list.table.selectionModel().SelectionFlag
            view.list.table.selectionModel().select(index, flags.Select | flags.Rows)
        wanted = view.call if len(rows) == 1 else view.comparison
        await once(view.shown, lambda: view.details.currentWidget() is wanted)


@pytest.fixture
async def opened(
    qtbot: QtBot, theme: Theme, store: HistoryStore, settings: QSettings
) -> OpenHistory:
    view = history_view(theme, store, settings)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    made = OpenHistory(view, store)
    await once(view.list.loaded, lambda: view.list.is_loaded)
    await activate(view)
    return made
