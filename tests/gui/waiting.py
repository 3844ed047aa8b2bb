"""What tests of widgets wait for besides the core's signals: the turns of the loop."""

from __future__ import annotations

import asyncio

LIMIT = 20.0


async def turns(count: int = 3) -> None:
    """Let the loop and Qt do what is due."""
    for _ in range(count):
        await asyncio.sleep(0)
