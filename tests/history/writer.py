"""A process of its own that adds calls to a history, and prints how many are on the disk.

python -m tests.history.writer FILE NAME COUNT
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.history.calls import ended, keep, store_at


async def write(path: Path, name: str, count: int) -> None:
    async with store_at(path) as store:
        for number in range(count):
            await keep(store, ended(f"{name}:{number}", {"n": number}, output="x" * 1000))
            print(number + 1, flush=True)
        if store.problem:
            raise SystemExit(store.problem)


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
