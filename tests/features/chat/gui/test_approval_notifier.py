"""Who looks elsewhere is told that a call waits, once, without what stands in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop.features.chat.gui.signs import ApprovalNotifier, Notifications, TrayNotifications
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, idle, setup
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.features.chat.gui.chats import Chats
    from tests.features.chat.gui.conftest import FakeProviders

SECRET = "hunter2"
CALL = ("mcp__calculator__evaluate", {"expression": f"1+1 # {SECRET}"})
OTHER = ("mcp__calculator__calculate", {"operation": "add", "a": 1, "b": 2})


class Desktop(Notifications):
    """Keeps what it is to show."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[str, str]] = []
        self.came = asyncio.Event()
        self.is_clear = True

    def show(self, title: str, text: str) -> None:
        self.shown.append((title, text))
        self.is_clear = False
        self.came.set()

    def clear(self) -> None:
        self.is_clear = True


class Window(QWidget):
    """In front where a test says so: offscreen, every window that is shown is."""

    is_in_front = False

    def isActiveWindow(self) -> bool:
        return self.is_in_front


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    return made


def _notifier(
    window: Window, desk: Chats, *, is_wanted: bool = True
) -> tuple[ApprovalNotifier, Desktop, list[bool]]:
    desktop, came = Desktop(), list[bool]()
    made = ApprovalNotifier(window, desk, lambda: is_wanted, lambda: came.append(True), desktop)
    return made, desktop, came


async def test_calls_that_wait_are_told_once_by_their_tools_alone(
    window: Window, desk: Chats, providers: FakeProviders
) -> None:
    _, desktop, came = _notifier(window, desk)
    providers.model.steps += [calls(CALL, OTHER), says("done")]
    chat = desk.new(setup())
    chat.ask(f"use {SECRET}")
    await asked(chat, 2)
    async with asyncio.timeout(LIMIT):
        await desktop.came.wait()
    desk.changed.send()
    assert desktop.shown == [
        ("2 calls need your approval", "calculator:evaluate, calculator:calculate")
    ]
    assert SECRET not in str(desktop.shown)
    desktop.clicked.emit()
    assert came == [True]
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    assert desktop.is_clear
    chat.stop()
    await idle(chat)


@pytest.mark.parametrize(("is_in_front", "is_wanted"), [(True, True), (False, False)])
async def test_who_sees_it_or_does_not_want_it_is_not_told(
    window: Window, desk: Chats, providers: FakeProviders, is_in_front: bool, is_wanted: bool
) -> None:
    window.is_in_front = is_in_front
    notifier, desktop, _ = _notifier(window, desk, is_wanted=is_wanted)
    providers.model.steps += [calls(CALL), says("done")]
    chat = desk.new(setup())
    chat.ask("go")
    await asked(chat)
    over = asyncio.Event()
    notifier.gathered.connect(over.set)
    async with asyncio.timeout(LIMIT):
        await over.wait()
    assert desktop.shown == []
    chat.stop()
    await idle(chat)


async def test_what_is_answered_at_once_is_not_told(
    window: Window, desk: Chats, providers: FakeProviders
) -> None:
    notifier, desktop, _ = _notifier(window, desk)
    gathered: list[bool] = []
    notifier.gathered.connect(lambda: gathered.append(True))
    providers.model.steps += [calls(CALL), says("done")]
    chat = desk.new(setup())
    chat.ask("go")
    await asked(chat)
    chat.stop()
    await idle(chat)
    assert (desktop.shown, desktop.is_clear, gathered) == ([], True, [])


def test_without_a_tray_nothing_breaks(window: Window) -> None:
    tray = TrayNotifications(window)
    tray.show("title", "text")
    tray.clear()
