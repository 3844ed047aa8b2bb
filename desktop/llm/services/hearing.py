"""Who waits for an event hears of bytes that were none: a provider that is still there says so.

Servers send comments and pings while a model thinks, which SDKs keep to themselves. Pure.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

_heard: ContextVar[Callable[[], None] | None] = ContextVar("heard", default=None)


def heard() -> None:
    """Bytes came; to be called in the task that waits for them."""
    if (tell := _heard.get()) is not None:
        tell()


@asynccontextmanager
async def listening(silence: float, until: float) -> AsyncGenerator[None]:
    """A limit of `silence` seconds, anew with each `heard`, but not beyond `until` (loop time).

    Raises:
        TimeoutError: nothing was heard for that long.
    """
    loop = asyncio.get_running_loop()

    def limit() -> float:
        return min(loop.time() + silence, until)

    async with asyncio.timeout_at(limit()) as waiting:
        _heard.set(lambda: waiting.reschedule(limit()))
        try:
            yield
        finally:
            _heard.set(None)
