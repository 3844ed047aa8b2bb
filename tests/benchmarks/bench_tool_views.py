"""A long session on the Tools page: 200 tools looked at, each with something typed and a result.

How much memory the window has then (PSS, its process alone), and how much work the first change of
the theme is, before them and after. Both grew with each tool once: every form was kept.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from tests.benchmarks.harness import Row, environment, megabytes, python
from tests.benchmarks.real_window import look_at_window
from tests.server_commands import command

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core
    from desktop.gui.garbage_collector import GuiGarbageCollector
    from desktop.gui.tools.tool_view import ToolView

TOOLS: Final = 200
BYTES: Final = 1_500
"""Of a tool: some six fields. Of 291 published ones the median is 540 bytes, nine in ten less."""
_LIMIT: Final = 10.0
_PAUSE: Final = 0.02
"""Seconds between two tools, in which the window does what it has put off."""
_REST: Final = 7.0
"""Seconds after which freed memory is given back."""


def collector() -> GuiGarbageCollector:
    from PySide6.QtWidgets import QApplication

    from desktop.gui.garbage_collector import GuiGarbageCollector

    windows = QApplication.topLevelWidgets()
    return next(found for each in windows for found in each.findChildren(GuiGarbageCollector))


async def switch_theme(app: WindowApp) -> float:
    """Seconds of work until light has become dark, and back."""
    began = time.process_time()
    app.window.theme.set_scheme("dark")
    await asyncio.sleep(0)
    app.window.repaint()
    work = time.process_time() - began
    app.window.theme.set_scheme("light")
    await asyncio.sleep(0)
    return work


async def use(view: ToolView, number: int) -> None:
    """Type something and run the tool, whatever it needs."""
    ended = asyncio.Event()

    def note() -> None:
        if not view.is_running:
            ended.set()

    name = next(iter(view.tool.input_schema["properties"]))
    view.form.set_value({name: f"text {number}"})
    view.running_changed.connect(note)
    view.send_anyway()
    async with asyncio.timeout(_LIMIT):
        await ended.wait()


async def _look(app: WindowApp, core: Core) -> dict[str, float]:
    from PySide6.QtWidgets import QApplication

    from desktop.gui.tools.page import ToolsPage

    await core.settle()
    app.window.theme.set_scheme("light")
    app.window.show_page("tools")
    page = app.window.page("tools")
    if not isinstance(page, ToolsPage):
        raise TypeError("the Tools page is not there")
    keys = [tool.definition.key for tool in core.registry.all()]
    page.show_tool(keys[0])
    await asyncio.sleep(1.0)  # what goes on after the start
    found = {"start": megabytes(), "fresh": await switch_theme(app)}
    for number, key in enumerate(keys):
        page.show_tool(key)
        if page.view is None:
            raise RuntimeError(f"{key} is not shown")
        await use(page.view, number)
        await asyncio.sleep(_PAUSE)
    collector().collect_all()  # as when a person turns to another app
    await asyncio.sleep(_REST)
    found |= {"after": megabytes(), "long": await switch_theme(app)}
    found["widgets"] = len(QApplication.allWidgets())
    return found


def measure() -> list[Row]:
    done = subprocess.run(
        python("-m", "tests.benchmarks.bench_tool_views"),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=600,
    )
    seen = json.loads(done.stdout)
    name = f"window, {TOOLS} tools used"
    fresh, long = seen["fresh"] * 1e3, seen["long"] * 1e3
    return [
        Row(
            f"{name}: memory (PSS), beside before", seen["after"], seen["start"], "MB", "<= 130 MB"
        ),
        Row(f"{name}: widgets", seen["widgets"], None, "", ""),
        Row(f"{name}: theme switch, CPU, beside before", long, fresh, "ms", "<= 500 ms"),
    ]


if __name__ == "__main__":
    program, args = command("many_tools", "--count", TOOLS, "--bytes", BYTES)
    entry = {"command": program, "args": args}
    sys.stdout.write(json.dumps(look_at_window("many", entry, _look)))
