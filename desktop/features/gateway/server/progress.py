"""Passes on the progress of one request to the client that made it, if it asked for that.

In order, and never ahead of a client that reads slowly: what does not fit is left out, as a later
sign says more. Must not delay the call.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from desktop.base.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.gateway.server.sdk import ServerRequestContext
    from desktop.values.tool_types import Progress

logger = logging.getLogger(__name__)
MAX_WAITING: Final = 100
"""Signs of progress that wait to be sent."""
LAST_LIMIT: Final = 1.0
"""Seconds in which those that wait at the end of a request are still sent."""


class ProgressRelay:
    """A block in which `take` is called at each sign of progress; None where nobody wants them."""

    __slots__ = ("_context", "_queue", "_sending", "take")

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self._context = context
        self._queue: asyncio.Queue[Progress | None] | None = None
        self._sending: asyncio.Task[None] | None = None
        is_wanted = context.meta is not None and "progress_token" in context.meta
        self.take: Callable[[Progress], None] | None = self._take if is_wanted else None

    async def __aenter__(self) -> ProgressRelay:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._queue is None or self._sending is None:
            return
        try:
            async with asyncio.timeout(LAST_LIMIT):
                await self._queue.put(None)
                await asyncio.shield(self._sending)
        except TimeoutError:
            logger.info("a client does not read the progress of its request")
        finally:
            self._sending.cancel()

    def _take(self, progress: Progress) -> None:
        if self._queue is None:
            self._queue = asyncio.Queue(MAX_WAITING)
            self._sending = spawn(self._send(self._queue), "progress for a client")
        if not self._queue.full():
            self._queue.put_nowait(progress)

    async def _send(self, queue: asyncio.Queue[Progress | None]) -> None:
        while (progress := await queue.get()) is not None:
            try:
                await self._context.session.report_progress(
                    progress.progress, progress.total, progress.message or None
                )
            except Exception as error:  # noqa: BLE001 - the boundary to the SDK: it has gone
                logger.info("a client could not be told of progress: %r", error)
                return
