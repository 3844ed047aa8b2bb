"""The window's loop closes what was begun in it and not finished."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

from desktop.gui.window_loop import WindowLoop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


async def test_a_generator_that_nobody_finishes_is_closed_by_the_loop() -> None:
    closed = asyncio.Event()

    async def numbers() -> AsyncGenerator[int]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)  # what a generator that only dies cannot do
            closed.set()

    begun = numbers()
    assert await anext(begun) == 1
    del begun
    gc.collect()
    async with asyncio.timeout(5):
        await closed.wait()


async def test_the_tests_of_the_window_run_on_its_loop() -> None:
    assert isinstance(asyncio.get_running_loop(), WindowLoop)
