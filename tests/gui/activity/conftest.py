"""The Activity page over a real core with real servers, and traffic made by hand."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from desktop.diagnostics.logs import LogBuffer
from desktop.gui.activity.messages_view import MessagesView
from desktop.gui.activity.page import ActivityPage
from desktop.servers.message_log import MessageLog, MessageRecorder
from desktop.tools.call_log import CallLog
from tests.gui.servers.conftest import entry, open_core
from tests.live_servers import LIMIT, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from PySide6.QtCore import QSettings, SignalInstance
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme

    OpenPage = Callable[..., Awaitable["Opened"]]

__all__ = ["entry", "open_core"]
TOKEN = "s3cr3t-t0ken"


def line(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


async def holds(signal: SignalInstance, is_so: Callable[[], object]) -> None:
    """Wait until `is_so`, looked at now and at each send of a signal of a widget."""
    news = asyncio.Event()

    def note(*_: object) -> None:
        news.set()

    signal.connect(note)
    async with asyncio.timeout(LIMIT):
        while not is_so():
            await news.wait()
            news.clear()
    signal.disconnect(note)


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
    await holds(view.feed.advanced, lambda: view.feed.waiting == 0)


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
