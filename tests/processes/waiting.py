"""Waits for the end of processes that nobody tells about, with a limit."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.processes.tree import is_alive
from tests.processes.recorder import LIMIT

if TYPE_CHECKING:
    import psutil


async def gone(*processes: psutil.Process) -> None:
    """Return once none of them runs any more; a zombie whose parent does not care is gone, too."""
    async with asyncio.timeout(LIMIT):
        while any(is_alive(one) for one in processes):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
