"""Two days of the Tools page in some minutes: tools looked at and run, the theme, every page.

`python -m tests.soak.two_days 48 40`: hours, and tools that are looked at and run in each. A line
each tenth. The window has the same widgets and about the same memory at the end as after the first
tenth.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Final

import psutil

from tests.benchmarks.bench_tool_views import BYTES, TOOLS, collector, switch_theme, use
from tests.benchmarks.real_window import look_at_servers
from tests.server_commands import command
from tests.soak.long_window import PAGES, sample

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core

LINES: Final = 10
MOST_GROWTH_MB: Final = 40
MOST_WIDGETS: Final = 1.1


async def _live(app: WindowApp, core: Core, hours: int, tools: int) -> dict[str, float]:
    from desktop.gui.tools.page import ToolsPage

    await core.settle()
    app.window.theme.set_scheme("light")
    app.window.show_page("tools")
    page = app.window.page("tools")
    if not isinstance(page, ToolsPage):
        raise TypeError("the Tools page is not there")
    keys = [tool.definition.key for tool in core.registry.all()]
    began, looked, first, last, worst = time.monotonic(), 0, {}, {}, 0.0
    for hour in range(hours):
        for _ in range(tools):
            page.show_tool(keys[looked % len(keys)])
            if page.view is not None:
                await use(page.view, looked)
            looked += 1
        worst = max(worst, await switch_theme(app))
        for name in (*PAGES, "tools"):
            app.window.show_page(name)
            await asyncio.sleep(0)
        if hour % max(1, hours // LINES) == 0 or hour == hours - 1:
            collector().collect_all()
            await asyncio.sleep(0)
            last = sample(began, looked, 0)
            if hour >= hours // 10:  # all pages are made, and the first tools are let go
                first = first or last
            line = {"hour": hour + 1, "theme_ms": round(worst * 1e3), **last}
            print(json.dumps(line), flush=True)
            worst = 0.0
    return {
        "growth_mb": last["pss_mb"] - first["pss_mb"],
        "widgets": last["widgets"] / first["widgets"],
    }


def main(hours: int, tools: int) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    program, args = command("many_tools", "--count", TOOLS, "--bytes", BYTES)

    async def look(app: WindowApp, core: Core) -> dict[str, float]:
        return await _live(app, core, hours, tools)

    found = look_at_servers({"many": {"command": program, "args": args}}, look)
    left = psutil.Process().children(recursive=True)
    print(json.dumps({**found, "processes_left": len(left)}))
    is_flat = found["growth_mb"] <= MOST_GROWTH_MB and found["widgets"] <= MOST_WIDGETS
    return 0 if is_flat and not left else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
