"""What a resource of 200 MB leaves in memory: in the real window, shown on its page, then left.

Measured as `bench_large_result` measures a result of a tool.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.benchmarks.bench_large_result import weigh_large
from tests.benchmarks.harness import Row, environment, python
from tests.benchmarks.real_window import look_at_window
from tests.server_commands import command

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core
    from desktop.gui.resources.page import ResourcesPage

BYTES = 200_000_000


async def _read(page: ResourcesPage, size: int) -> float:
    """Seconds until the resource is on the page."""
    from desktop.gui.resources.page import ResourceView

    began = time.perf_counter()
    page.open_uri("offers", f"test://big/{size}")
    view = page.view
    if not isinstance(view, ResourceView):
        raise TypeError("the resource is not on the page")
    async with asyncio.timeout(120):
        while view.is_reading:  # noqa: ASYNC110 no one tells of it
            await asyncio.sleep(0.01)
    if view.read_result is None or view.read_result.is_error:
        raise RuntimeError("the read failed")
    return time.perf_counter() - began


async def _look(app: WindowApp, core: Core) -> dict[str, float]:
    from desktop.gui.resources.page import ResourcesPage

    app.window.show_page("resources")
    page = app.window.page("resources")
    if not isinstance(page, ResourcesPage):
        raise TypeError("the page of resources is not there")
    await core.settle()
    await _read(page, 1_000_000)  # imports what a resource needs
    return await weigh_large(lambda size: _read(page, size), BYTES)


def _run() -> dict[str, float]:
    program, args = command("offers")
    return look_at_window("offers", {"command": program, "args": args}, _look)


def measure() -> list[Row]:
    seen = json.loads(
        subprocess.run(
            python("-m", "tests.benchmarks.bench_large_resource"),
            env=environment(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=240,
        ).stdout
    )
    name, before = "resource of 200 MB", seen["before"]
    return [
        Row(f"{name}: from the click to the page", seen["seconds"] * 1e3, None, "ms", ""),
        Row(f"{name}: longest work of the loop", seen["blocked"] * 1e3, None, "ms", "<= 50 ms"),
        Row(f"{name}: more at its peak", seen["peak"], None, "MB", ""),
        Row(f"{name}: more while it is shown", seen["shown"] - before, None, "MB", "<= 10 MB"),
        Row(f"{name}: more once it is left", seen["gone"] - before, None, "MB", "<= 10 MB"),
    ]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_run()))
