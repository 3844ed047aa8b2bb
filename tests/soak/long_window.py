"""Hours of the real window: twenty servers, calls all the time, another page each minute.

`python -m tests.soak.long_window 7200 20000`: seconds and calls; a line a tenth of it, then whether
anything grew. Memory is the PSS of the window's process alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from typing import TYPE_CHECKING

import psutil

from tests.benchmarks.harness import megabytes
from tests.benchmarks.real_window import look_at_servers
from tests.server_commands import command
from tests.soak.usage import descriptors

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core

SERVERS = 20
PAGES = ("servers", "tools", "chat", "activity", "processes", "settings", "resources", "prompts")
PAGE_SECONDS = 60.0
SIZES = (20, 500, 2_000, 20_000)
"""Characters of the answers, which are drawn."""


def sample(began: float, calls: int, failed: int) -> dict[str, float]:
    import gc

    from PySide6.QtWidgets import QApplication

    me = psutil.Process()
    return {
        "seconds": round(time.monotonic() - began),
        "calls": calls,
        "failed": failed,
        "pss_mb": round(megabytes(me), 1),
        "descriptors": descriptors(me),
        "threads": me.num_threads(),
        "children": len(me.children(recursive=True)),
        "tasks": len(asyncio.all_tasks()),
        "widgets": len(QApplication.allWidgets()),
        "objects": len(gc.get_objects()),
    }


async def _turn_pages(app: WindowApp) -> None:
    while True:
        for page in PAGES:
            app.window.show_page(page)
            await asyncio.sleep(PAGE_SECONDS)


async def _call(app: WindowApp, core: Core, seconds: float, calls: int) -> None:
    from desktop.base.tasks import spawn
    from desktop.values.tool_types import ToolCall

    await core.settle()
    draw, failed, began = random.Random(7), 0, time.monotonic()
    pages = spawn(_turn_pages(app), "pages")
    print(json.dumps(sample(began, 0, 0)), flush=True)
    for number in range(1, calls + 1):
        server = f"server-{draw.randrange(SERVERS)}"
        if draw.random() < 0.5:
            call = ToolCall(f"{server}:add", {"a": number, "b": 1})
        else:
            call = ToolCall(f"{server}:big", {"bytes": draw.choice(SIZES)})
        failed += not (await core.executor.run(call)).success
        await asyncio.sleep(max(0.0, began + seconds * number / calls - time.monotonic()))
        if number % max(1, calls // 10) == 0:
            print(json.dumps(sample(began, number, failed)), flush=True)
    pages.cancel()
    await asyncio.wait({pages})


def main(seconds: float, calls: int) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    program, args = command("plain")
    entry = {"command": program, "args": args}
    servers = {f"server-{number}": entry for number in range(SERVERS)}

    async def look(app: WindowApp, core: Core) -> dict[str, float]:
        await _call(app, core, seconds, calls)
        return {}

    look_at_servers(servers, look)
    left = psutil.Process().children(recursive=True)
    print(f"processes left: {len(left)}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2])))
