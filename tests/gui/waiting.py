"""What tests of widgets wait for besides the core's signals: the turns of the loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.gui.widgets.focus_guard import focus_guard_of
from tests.patience import LIMIT

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QWidget


def arm(*controls: QWidget) -> None:
    """Have guarded controls take keys, as they do half a second after they appeared."""
    for control in controls:
        guard = focus_guard_of(control)
        assert guard is not None
        guard.arm()


async def turns(count: int = 3) -> None:
    """Let the loop and Qt do what is due."""
    for _ in range(count):
        await asyncio.sleep(0)


def noted(signal: SignalInstance) -> list[tuple[object, ...]]:
    """A list that grows by the arguments of each time that a signal of a widget is sent."""
    sent: list[tuple[object, ...]] = []

    def note(*args: object) -> None:
        sent.append(args)

    signal.connect(note)
    return sent


async def happens(signal: SignalInstance) -> None:
    """Wait until a signal of a widget is sent."""
    sent = asyncio.Event()

    def note(*_: object) -> None:
        sent.set()

    connection = signal.connect(note)
    try:
        async with asyncio.timeout(LIMIT):
            await sent.wait()
    finally:
        signal.disconnect(connection)
