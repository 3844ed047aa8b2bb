"""What an attack cost: memory at its peak, processor time, and the longest block of the loop.

Time is the processor's, not the clock's: a busy machine changes none of these figures by much.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.base.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

MB = 1_000_000


@dataclass(slots=True)
class Cost:
    """Of one attack; `peak` is in bytes above what was there before, the others in seconds."""

    peak: int = 0
    processor: float = 0.0
    longest_block: float = 0.0


@contextlib.contextmanager
def processor_time() -> Generator[Cost]:
    """The time of this thread in the block."""
    cost, began = Cost(), time.thread_time()
    try:
        yield cost
    finally:
        cost.processor = time.thread_time() - began


@contextlib.contextmanager
def memory() -> Generator[Cost]:
    """The peak of what Python held in the block; makes it several times slower."""
    cost = Cost()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        yield cost
        cost.peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@contextlib.asynccontextmanager
async def loop_blocks() -> AsyncGenerator[Cost]:
    """The longest time between two turns of the loop in the block."""
    cost = Cost()

    async def turn() -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            cost.longest_block = max(cost.longest_block, now - last)
            last = now

    turning = spawn(turn(), "turn")
    try:
        yield cost
        await asyncio.sleep(0)
    finally:
        turning.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await turning
