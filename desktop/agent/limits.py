"""The limits of one `ask`: turns, tool calls, and a time that stands still for approvals.

Decides nothing: the loop and the session hold themselves to them.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """How far one `AgentSession.ask` may go before a person has to look again.

    A call that is too many is refused, which the model can read; the others end the `ask`.
    """

    turns: int = 25
    """Requests to the model."""
    seconds: float = 1800.0
    """From the question to the end, without the time that a person takes to approve."""
    calls: int = 16
    """Tool calls of one turn that are run; the model is told of the others."""


class PausableTimeout:
    """Time limit for one `ask`; paused while a person is being asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._timeout: asyncio.Timeout | None = None
        self._left = seconds
        self._paused = 0

    @property
    def has_run_out(self) -> bool:
        return self._timeout is not None and self._timeout.expired()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Raises `TimeoutError` out of the block once the time is over."""
        async with asyncio.timeout(self.seconds) as self._timeout:
            yield

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time spent within does not count; several may overlap."""
        loop = asyncio.get_running_loop()
        self._paused += 1
        if self._paused == 1 and (timeout := self._open()) is not None:
            self._left = (timeout.when() or loop.time()) - loop.time()
            timeout.reschedule(None)
        try:
            yield
        finally:
            self._paused -= 1
            if self._paused == 0 and (timeout := self._open()) is not None:
                timeout.reschedule(loop.time() + self._left)

    def _open(self) -> asyncio.Timeout | None:
        timeout = self._timeout
        return timeout if timeout is not None and not timeout.expired() else None
