"""asyncio protocols for the pipes of a process: one hands bytes on, one paces writing.

Must not know what the bytes mean.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class ReadPipe(asyncio.Protocol):
    """Hands on what arrives and says once that the pipe is closed."""

    def __init__(self, received: Callable[[bytes], None], closed: Callable[[], None]) -> None:
        self._received = received
        self._closed = closed

    def data_received(self, data: bytes) -> None:
        self._received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed()


class WritePipe(asyncio.BaseProtocol):
    """Knows whether the pipe is full or broken."""

    def __init__(self) -> None:
        self.broken = False
        self._waiter: asyncio.Future[None] | None = None

    def pause_writing(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self.broken = True
        self.resume_writing()

    async def ready(self) -> None:
        """Wait until the pipe takes more.

        Raises:
            BrokenPipeError: the other end is closed.
        """
        if self._waiter is not None:
            await asyncio.shield(self._waiter)
        if self.broken:
            raise BrokenPipeError("the server has closed its input")
