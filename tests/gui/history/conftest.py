"""Views of the history over a real store on disk, and waits for what it announces."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui.history.history_view import HistoryView
from desktop.redaction.redactor import Redaction
from desktop.tools.call_log import CallLog
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from tests.gui.waiting import LIMIT
from tests.history.calls import keep, store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from PySide6.QtCore import QSettings, SignalInstance
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from desktop.history.records import FinishedCall
    from desktop.history.store import HistoryStore


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
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {})
    made.store.set_enabled("calculator", enabled=True)
    made.follow_store()
    await made.settle()
    yield made
    await made.close()


@dataclass
class Opened:
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
async def opened(qtbot: QtBot, theme: Theme, store: HistoryStore, settings: QSettings) -> Opened:
    view = history_view(theme, store, settings)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    made = Opened(view, store)
    await once(view.list.loaded, lambda: view.list.is_loaded)
    await activate(view)
    return made
