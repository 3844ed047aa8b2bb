"""Each page of the window opened for the first time: how long that keeps the loop busy at a time.

Each in a window of its own, which has one server and begins on the page Servers: what one page
imports would be there already for the next.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.benchmarks.harness import LoopLag, Row, environment, median, python
from tests.benchmarks.real_window import look_at_window
from tests.server_commands import command

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core

PAGES: Final = ("tools", "resources", "prompts", "chat", "activity", "processes", "settings")
TURNS: Final = 3
WHOLE: Final = 1.0
"""Seconds after which a page that is built over several turns is whole."""


async def _open(page: str, app: WindowApp, core: Core) -> dict[str, float]:
    del core
    await asyncio.sleep(WHOLE)  # what goes on after the start is not the page's
    async with LoopLag().watched() as lag:
        app.window.show_page(page)
        await asyncio.sleep(WHOLE)
    return {"blocked": lag.longest_work}


def _blocked(page: str) -> float:
    done = subprocess.run(
        python("-m", "tests.benchmarks.bench_pages", page),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)["blocked"]


def measure() -> list[Row]:
    return [
        Row(f"first opening of {page}: blocked", blocked * 1e3, None, "ms", "<= 100 ms")
        for page in PAGES
        for blocked in [median(_blocked(page) for _ in range(TURNS))]
    ]


if __name__ == "__main__":
    program, args = command("plain")
    entry = {"command": program, "args": args}
    sys.stdout.write(json.dumps(look_at_window("plain", entry, partial(_open, sys.argv[1]))))
