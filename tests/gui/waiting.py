"""Waits for what the core announces, with a limit, without a poll or a sleep."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.signals import Signal

LIMIT = 20.0
P = ParamSpec("P")


async def until(signal: Signal[P], is_true: Callable[[], bool]) -> None:
    """Return once `is_true`, looked at now and at each send of `signal`.

    Raises:
        TimeoutError: it did not become true.
    """
    happened = asyncio.Event()

    def note(*_: P.args, **__: P.kwargs) -> None:
        happened.set()

    disconnect = signal.connect(note)
    try:
        async with asyncio.timeout(LIMIT):
            while not is_true():
                happened.clear()
                await happened.wait()
    finally:
        disconnect()


async def turns(count: int = 3) -> None:
    """Let the loop and Qt do what is due."""
    for _ in range(count):
        await asyncio.sleep(0)
