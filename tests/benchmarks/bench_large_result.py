"""What a result of 100 MB leaves in memory: in the real window, with the result on the page.

Memory is what belongs to the window's process alone (`Pss_Anon`): that of the libraries depends on
who else uses them meanwhile. The peak is what the kernel noted of the resident size.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import LoopLag, Row, environment, python
from tests.benchmarks.real_window import look_at_window
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.app import WindowApp
    from desktop.core import Core
    from desktop.gui.tools.page import ToolsPage

BYTES = 100_000_000
QUIET = 8.0
"""Seconds: free memory is given back after five in which nothing happens."""


def own_memory() -> float:
    """Megabytes that belong to this process alone."""
    return _megabytes("smaps_rollup", "Pss_Anon:")


def resident(name: str) -> float:
    """Megabytes: `VmRSS` now, `VmHWM` at most since the peak was forgotten."""
    return _megabytes("status", f"{name}:")


def forget_peak() -> None:
    """Let `VmHWM` begin again."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def _megabytes(file: str, name: str) -> float:
    lines = Path("/proc/self", file).read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) * 1024 / 1e6


async def call_on_page(page: ToolsPage, tool: str, arguments: dict[str, int]) -> float:
    """Run the tool from its form; seconds until its result is on the page."""
    page.open_call(tool, arguments)
    view = page.view
    if view is None:
        raise RuntimeError("the tool is not on the page")
    began = time.perf_counter()
    view.run()
    async with asyncio.timeout(60):
        while view.is_running:  # noqa: ASYNC110 no one tells of it
            await asyncio.sleep(0.01)
    seconds = time.perf_counter() - began
    shown = view.below.result
    if shown is None or shown.result is None or not shown.result.success:
        raise RuntimeError("the call failed")
    return seconds


async def _look(app: WindowApp, core: Core) -> dict[str, float]:
    from desktop.gui.tools.page import ToolsPage

    app.window.show_page("tools")
    page = app.window.page("tools")
    if not isinstance(page, ToolsPage):
        raise TypeError("the Tools page is not there")
    await core.settle()
    await call_on_page(page, "plain:big", {"bytes": 1_000_000})  # imports what a result needs
    return await weigh_large(lambda size: call_on_page(page, "plain:big", {"bytes": size}), BYTES)


async def weigh_large(show: Callable[[int], Awaitable[float]], size: int) -> dict[str, float]:
    """What it costs to show so many bytes, and what is left of it once little is shown.

    `show` shows a number of bytes, and returns the seconds that it took.
    """
    await asyncio.sleep(QUIET)
    before, resident_before = own_memory(), resident("VmRSS")
    forget_peak()
    async with LoopLag().watched() as lag:
        seconds = await show(size)
        await asyncio.sleep(1)
    peak = resident("VmHWM") - resident_before
    await asyncio.sleep(QUIET)
    shown = own_memory()
    await show(10)
    await asyncio.sleep(QUIET)
    return {
        "before": before,
        "peak": peak,
        "shown": shown,
        "gone": own_memory(),
        "seconds": seconds,
        "blocked": lag.longest_work,
    }


def _run() -> dict[str, float]:
    program, args = command("plain")
    return look_at_window("plain", {"command": program, "args": args}, _look)


def measure() -> list[Row]:
    seen = json.loads(
        subprocess.run(
            python("-m", "tests.benchmarks.bench_large_result"),
            env=environment(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=180,
        ).stdout
    )
    name, before = "result of 100 MB", seen["before"]
    return [
        Row(f"{name}: from Run to the page", seen["seconds"] * 1e3, None, "ms", ""),
        Row(f"{name}: longest work of the loop", seen["blocked"] * 1e3, None, "ms", "<= 50 ms"),
        Row(f"{name}: own memory before", before, None, "MB", ""),
        Row(f"{name}: more at its peak", seen["peak"], None, "MB", ""),
        Row(f"{name}: more while it is shown", seen["shown"] - before, None, "MB", "<= 10 MB"),
        Row(f"{name}: more after the next call", seen["gone"] - before, None, "MB", "<= 10 MB"),
    ]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_run()))
