"""A result of 1,000,000 texts and one of 100,000 pictures: shown on a tool's page in the window.

Measured as `bench_large_result` measures one long text. Most of the parts are cut off with a word,
before anything is made of each of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from tests.benchmarks.bench_large_result import call_on_page, weigh_large
from tests.benchmarks.harness import Row, environment, python
from tests.benchmarks.real_window import look_at_window
from tests.server_commands import command

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core

COUNTS: Final = {"texts": 1_000_000, "pictures": 100_000}


async def _look(app: WindowApp, core: Core, tool: str) -> dict[str, float]:
    from desktop.gui.tools.page import ToolsPage

    app.window.show_page("tools")
    page = app.window.page("tools")
    if not isinstance(page, ToolsPage):
        raise TypeError("the Tools page is not there")
    await core.settle()
    await call_on_page(page, f"many:{tool}", {"count": 10})  # imports what a result needs
    return await weigh_large(
        lambda count: call_on_page(page, f"many:{tool}", {"count": count}), COUNTS[tool]
    )


def _run(tool: str) -> dict[str, float]:
    program, args = command("many_parts")
    entry = {"command": program, "args": args}
    return look_at_window("many", entry, lambda app, core: _look(app, core, tool))


def _rows(tool: str) -> list[Row]:
    done = subprocess.run(
        python("-m", "tests.benchmarks.bench_many_parts", tool),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=240,
    )
    seen = json.loads(done.stdout)
    name, before = f"{COUNTS[tool]:,} {tool}", seen["before"]
    return [
        Row(f"{name}: from Run to the page", seen["seconds"] * 1e3, None, "ms", ""),
        Row(f"{name}: longest work of the loop", seen["blocked"] * 1e3, None, "ms", "<= 500 ms"),
        Row(f"{name}: more at its peak", seen["peak"], None, "MB", ""),
        Row(f"{name}: more while it is shown", seen["shown"] - before, None, "MB", ""),
        Row(f"{name}: more after the next call", seen["gone"] - before, None, "MB", "<= 10 MB"),
    ]


def measure() -> list[Row]:
    return [row for tool in COUNTS for row in _rows(tool)]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_run(sys.argv[1])))
